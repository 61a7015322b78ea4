#include "kube/kubeconfig.h"

#include <absl/strings/escaping.h>
#include <openssl/ssl.h>
#include <yaml-cpp/yaml.h>

#include <memory>
#include <utility>

#include "base/bounded_file.h"
#include "base/log.h"
#include "base/tls_context.h"
#include "kube/server_url.h"

namespace berth {
namespace {

using std::filesystem::path;

// Far beyond any kubeconfig, bundle of certificates or token.
constexpr size_t kMaxFileBytes = 1 << 20;

// One kubeconfig on its way to an ApiServerAccess. The first problem is kept; what is read after it
// does not matter.
class Kubeconfig {
 public:
  Kubeconfig(path file, YAML::Node root) : file_(std::move(file)), root_(std::move(root)) {}

  Result<ApiServerAccess> CurrentAccess() {
    const YAML::Node context = Entry("contexts", "context", Text(root_, "", "current-context"));
    const std::string cluster = Text(context, "context.", "cluster");
    const std::string user = Text(context, "context.", "user");
    ApiServerAccess access;
    ReadCluster(Entry("clusters", "cluster", cluster), access);
    // A context without a user speaks as nobody, as with kubectl.
    if (!user.empty()) ReadUser(Entry("users", "user", user), access);
    CheckCertificates(access);
    if (!problem_.empty()) return absl::InvalidArgumentError(file_.string() + ": " + problem_);
    return access;
  }

 private:
  void Fail(const std::string& problem) {
    if (problem_.empty()) problem_ = problem;
  }

  std::string Text(const YAML::Node& map, const std::string& where, const std::string& key) {
    if (!map.IsMap() || !map[key] || map[key].IsNull()) return "";
    if (map[key].IsScalar()) return map[key].Scalar();
    Fail(where + key + " is not text");
    return "";
  }

  // The part `key` of the entry with this name in a list of the file; an empty map if there is
  // none.
  YAML::Node Entry(const std::string& list, const std::string& key, const std::string& name) {
    std::string names;
    const YAML::Node entries = root_[list] && root_[list].IsSequence()
                                   ? root_[list]
                                   : YAML::Node(YAML::NodeType::Sequence);
    for (const YAML::Node& entry : entries) {
      const std::string known = Text(entry, list + ".", "name");
      if (known == name && entry.IsMap() && entry[key] && entry[key].IsMap()) return entry[key];
      names += (names.empty() ? "" : ", ") + Quoted(known);
    }
    const std::string which = key == "context" ? "current-context" : "context." + key;
    Fail(which + " is " + Quoted(name) + ", but " + list + " has " +
         (names.empty() ? "none" : "only " + names));
    return YAML::Node(YAML::NodeType::Map);
  }

  // `key`-data (base64) or the file that `key` names, relative to the kubeconfig.
  std::string Pem(const YAML::Node& map, const std::string& where, const std::string& key) {
    const std::string data = Text(map, where, key + "-data");
    std::string pem;
    if (!data.empty()) {
      if (!absl::Base64Unescape(data, &pem)) Fail(where + key + "-data is not base64");
      return pem;
    }
    const std::string name = Text(map, where, key);
    return name.empty() ? "" : Contents(where + key, Resolve(name));
  }

  path Resolve(const std::string& name) const { return file_.parent_path() / name; }

  std::string Contents(const std::string& field, const path& file) {
    Result<std::string> contents = ReadBounded(file, kMaxFileBytes);
    if (!contents.ok()) Fail(field + ": " + std::string(contents.status().message()));
    return contents.value_or("");
  }

  void ReadCluster(const YAML::Node& cluster, ApiServerAccess& access) {
    access.url = Text(cluster, "cluster.", "server");
    if (const Result<ServerUrl> url = ParseServerUrl(access.url); !url.ok()) {
      Fail("cluster.server: " + std::string(url.status().message()));
    }
    access.ca_pem = Pem(cluster, "cluster.", "certificate-authority");
    access.server_name = Text(cluster, "cluster.", "tls-server-name");
    access.insecure = Flag(cluster, "cluster.", "insecure-skip-tls-verify");
    if (access.insecure && !access.ca_pem.empty()) {
      Fail("cluster.insecure-skip-tls-verify does not go with a certificate-authority: drop one");
    }
    if (cluster["proxy-url"]) Fail("cluster.proxy-url is not supported");
  }

  void ReadUser(const YAML::Node& user, ApiServerAccess& access) {
    for (const char* plugin : {"exec", "auth-provider"}) {
      if (user[plugin]) {
        Fail(std::string("user.") + plugin +
             ": credential plugins are not supported; use a client certificate, a token or a "
             "tokenFile");
      }
    }
    for (const char* field : {"username", "password", "as", "as-uid", "as-groups"}) {
      if (user[field]) Fail(std::string("user.") + field + " is not supported");
    }
    access.client_certificate_pem = Pem(user, "user.", "client-certificate");
    access.client_key_pem = Pem(user, "user.", "client-key");
    access.token = Text(user, "user.", "token");
    if (const std::string name = Text(user, "user.", "tokenFile"); !name.empty()) {
      access.token_file = Resolve(name);
      Contents("user.tokenFile", access.token_file);
    }
  }

  bool Flag(const YAML::Node& map, const std::string& where, const std::string& key) {
    const std::string text = Text(map, where, key);
    if (!text.empty() && text != "true" && text != "false") {
      Fail(where + key + " is " + Quoted(text) + ", not true or false");
    }
    return text == "true";
  }

  // Tried out here, so that a mistake is told at the start and with its field.
  void CheckCertificates(const ApiServerAccess& access) {
    if (access.ca_pem.empty() && access.client_certificate_pem.empty() &&
        access.client_key_pem.empty()) {
      return;
    }
    const std::unique_ptr<SSL_CTX, void (*)(SSL_CTX*)> scratch(SSL_CTX_new(TLS_client_method()),
                                                               SSL_CTX_free);
    if (!access.ca_pem.empty()) {
      const Status status = TrustAuthorities(scratch.get(), access.ca_pem);
      if (!status.ok()) Fail("cluster.certificate-authority: " + std::string(status.message()));
    }
    if (access.client_certificate_pem.empty() != access.client_key_pem.empty()) {
      Fail("user.client-certificate and user.client-key go together: one is missing");
    } else if (!access.client_certificate_pem.empty()) {
      const Status status =
          UseIdentity(scratch.get(), access.client_certificate_pem, access.client_key_pem);
      if (!status.ok()) Fail("user.client-certificate: " + std::string(status.message()));
    }
  }

  const path file_;
  const YAML::Node root_;
  std::string problem_;
};

}  // namespace

Result<ApiServerAccess> LoadKubeconfig(const path& file) {
  const Result<std::string> text = ReadBounded(file, kMaxFileBytes);
  if (absl::IsNotFound(text.status())) {
    return absl::NotFoundError("cannot read the kubeconfig " + file.string());
  }
  return text.ok() ? ParseKubeconfig(*text, file) : text.status();
}

Result<ApiServerAccess> ParseKubeconfig(const std::string& text, const path& file) {
  try {  // yaml-cpp throws; it does so nowhere else
    const YAML::Node root = YAML::Load(text);
    if (!root.IsMap()) {
      return absl::InvalidArgumentError(file.string() + ": not a kubeconfig (YAML or JSON)");
    }
    return Kubeconfig(file, root).CurrentAccess();
  } catch (const YAML::Exception& error) {
    return absl::InvalidArgumentError(file.string() + ": " + error.what());
  }
}

Result<ApiServerAccess> LoadServiceAccount(const path& root, const std::string& host,
                                           const std::string& port) {
  if (host.empty() || port.empty()) {
    return absl::NotFoundError(
        "KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set: outside a pod, name a "
        "kubeconfig");
  }
  const bool is_v6 = host.find(':') != std::string::npos;
  ApiServerAccess access = {
      .url = "https://" + (is_v6 ? "[" + host + "]" : host) + ":" + port,
      .token_file = root / "token",
  };
  if (const Result<ServerUrl> url = ParseServerUrl(access.url); !url.ok()) return url.status();
  const Result<std::string> authorities = ReadBounded(root / "ca.crt", kMaxFileBytes);
  if (!authorities.ok() || !ReadBounded(access.token_file, kMaxFileBytes).ok()) {
    return absl::NotFoundError("cannot read ca.crt and token in " + root.string() +
                               ": does the pod mount its service account?");
  }
  access.ca_pem = *authorities;
  return access;
}

}  // namespace berth
