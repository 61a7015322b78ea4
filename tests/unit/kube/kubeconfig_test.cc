#include "kube/kubeconfig.h"

#include <absl/strings/escaping.h>
#include <absl/strings/str_replace.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "support/temp_directory.h"
#include "support/test_certificates.h"

namespace berth {
namespace {

using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::StartsWith;

const TestAuthority& Authority() {
  static const TestAuthority authority;
  return authority;
}

const TestIdentity& Identity() {
  static const TestIdentity identity = Authority().Issue("berth");
  return identity;
}

// A directory with a kubeconfig and the files that it may name. In the text, CA64, CERT64 and KEY64
// stand for certificates and key in base64.
class Files {
 public:
  explicit Files(const std::string& kubeconfig) {
    directory_.Write("ca.pem", Authority().certificate());
    directory_.Write("cert.pem", Identity().certificate);
    directory_.Write("key.pem", Identity().key);
    directory_.Write("token", "from-file");
    directory_.Write("empty.pem", "");
    config_ = directory_.Write(
        "config",
        absl::StrReplaceAll(kubeconfig, {{"CA64", absl::Base64Escape(Authority().certificate())},
                                         {"CERT64", absl::Base64Escape(Identity().certificate)},
                                         {"KEY64", absl::Base64Escape(Identity().key)}}));
  }

  const std::filesystem::path& config() const { return config_; }
  std::filesystem::path operator/(const char* name) const { return directory_.path() / name; }

 private:
  TempDirectory directory_;
  std::filesystem::path config_;
};

std::string Config(const std::string& cluster, const std::string& user) {
  return "apiVersion: v1\n"
         "kind: Config\n"
         "current-context: here\n"
         "contexts:\n"
         "- {name: there, context: {cluster: far, user: nobody}}\n"
         "- {name: here, context: {cluster: near, user: me, namespace: ml}}\n"
         "clusters:\n"
         "- {name: far, cluster: {server: 'https://far:6443'}}\n"
         "- {name: near, cluster: " +
         cluster +
         "}\n"
         "users:\n"
         "- {name: me, user: " +
         user + "}\n";
}

std::string ErrorOf(const std::string& kubeconfig) {
  const Files files(kubeconfig);
  const Result<ApiServerAccess> access = LoadKubeconfig(files.config());
  EXPECT_FALSE(access.ok()) << kubeconfig;
  const std::string message(access.status().message());
  EXPECT_THAT(message, StartsWith(files.config().string() + ": "));
  return message;
}

TEST(Kubeconfig, ReadsDataInline) {
  const Files files(
      Config("{server: 'https://10.0.0.1:6443/k8s/c1/', certificate-authority-data: CA64,"
             " tls-server-name: api.example}",
             "{client-certificate-data: CERT64, client-key-data: KEY64, token: secret}"));
  const Result<ApiServerAccess> access = LoadKubeconfig(files.config());
  ASSERT_TRUE(access.ok()) << access.status();
  EXPECT_EQ(access->url, "https://10.0.0.1:6443/k8s/c1/");
  EXPECT_EQ(access->ca_pem, Authority().certificate());
  EXPECT_FALSE(access->insecure);
  EXPECT_EQ(access->server_name, "api.example");
  EXPECT_EQ(access->client_certificate_pem, Identity().certificate);
  EXPECT_EQ(access->client_key_pem, Identity().key);
  EXPECT_EQ(access->token, "secret");
  EXPECT_THAT(access->token_file.string(), IsEmpty());
}

TEST(Kubeconfig, ReadsFilesBesideItAndDataBeforeFiles) {
  const Files files(
      Config("{server: 'https://h', certificate-authority: ./ca.pem}",
             "{client-certificate: cert.pem, client-key: missing.pem, client-key-data: KEY64,"
             " tokenFile: token}"));
  const Result<ApiServerAccess> access = LoadKubeconfig(files.config());
  ASSERT_TRUE(access.ok()) << access.status();
  EXPECT_EQ(access->ca_pem, Authority().certificate());
  EXPECT_EQ(access->client_certificate_pem, Identity().certificate);
  EXPECT_EQ(access->client_key_pem, Identity().key);
  EXPECT_EQ(access->token_file, files / "token");
}

TEST(Kubeconfig, TakesAbsolutePaths) {
  const TempDirectory elsewhere;
  const std::string ca = elsewhere.Write("ca.pem", Authority().certificate());
  const Files files(Config("{server: 'https://h', certificate-authority: " + ca + "}", "{}"));
  EXPECT_EQ(LoadKubeconfig(files.config())->ca_pem, Authority().certificate());
}

TEST(Kubeconfig, ReadsJsonAndTheFlagForNoVerification) {
  const Files files(R"({"current-context": "c", "users": null,
    "contexts": [{"name": "c", "context": {"cluster": "k"}}],
    "clusters": [{"name": "k", "cluster": {"server": "https://h", "insecure-skip-tls-verify": true}}]})");
  const Result<ApiServerAccess> access = LoadKubeconfig(files.config());
  ASSERT_TRUE(access.ok()) << access.status();
  EXPECT_TRUE(access->insecure);
  EXPECT_THAT(access->token, IsEmpty());
}

TEST(Kubeconfig, SaysWhichFieldIsWrongAndHow) {
  const std::string good = "{server: 'https://h'}";
  struct Case {
    std::string cluster, user, error;
  };
  const Case cases[] = {
      {"{}", "{}", "cluster.server: \"\" is not a server's URL such as https://10.0.0.1:6443"},
      {"{server: h:6443}", "{}", "cluster.server: \"h:6443\" is not a server's URL"},
      {"{server: [a]}", "{}", "cluster.server is not text"},
      {"{server: 'https://h', certificate-authority-data: '%%%'}", "{}",
       "cluster.certificate-authority-data is not base64"},
      {"{server: 'https://h', certificate-authority-data: bm9uc2Vuc2U=}", "{}",
       "cluster.certificate-authority: no certificate (PEM)"},
      {"{server: 'https://h', certificate-authority: missing.pem}", "{}",
       "cluster.certificate-authority: cannot read "},
      {"{server: 'https://h', certificate-authority: .}", "{}",
       "cluster.certificate-authority: cannot read "},
      {"{server: 'https://h', certificate-authority: ca.pem, insecure-skip-tls-verify: true}", "{}",
       "cluster.insecure-skip-tls-verify does not go with a certificate-authority"},
      {"{server: 'https://h', insecure-skip-tls-verify: perhaps}", "{}",
       "cluster.insecure-skip-tls-verify is \"perhaps\", not true or false"},
      {"{server: 'https://h', proxy-url: 'http://p'}", "{}", "cluster.proxy-url is not supported"},
      {good, "{exec: {command: aws}}", "user.exec: credential plugins are not supported; use a"},
      {good, "{auth-provider: {name: gcp}}", "user.auth-provider: credential plugins are not"},
      {good, "{username: u, password: p}", "user.username is not supported"},
      {good, "{as: admin}", "user.as is not supported"},
      {good, "{client-certificate-data: CERT64}",
       "user.client-certificate and user.client-key go together: one is missing"},
      {good, "{client-key: key.pem}",
       "user.client-certificate and user.client-key go together: one is missing"},
      {good, "{client-certificate-data: CERT64, client-key-data: CERT64}",
       "user.client-certificate: no usable private key (PEM, without a passphrase)"},
      {good, "{client-certificate: ca.pem, client-key: key.pem}",
       "user.client-certificate: the private key does not belong to the certificate"},
      {good, "{client-certificate: key.pem, client-key: key.pem}",
       "user.client-certificate: no usable certificate (PEM)"},
      {good, "{tokenFile: missing}", "user.tokenFile: cannot read "},
      {good, "{token: {}}", "user.token is not text"},
  };
  for (const Case& c : cases) EXPECT_THAT(ErrorOf(Config(c.cluster, c.user)), HasSubstr(c.error));
}

TEST(Kubeconfig, SaysWhichEntryIsMissing) {
  struct Case {
    const char* text;
    const char* error;
  };
  const Case cases[] = {
      {"kind: Config", "current-context is \"\", but contexts has none"},
      {"current-context: c\ncontexts: [{name: a, context: {}}, {name: b, context: {}}]",
       "current-context is \"c\", but contexts has only \"a\", \"b\""},
      {"current-context: c\ncontexts: {}", "current-context is \"c\", but contexts has none"},
      {"current-context: c\ncontexts: {c: {cluster: k}}", "current-context is \"c\", but contexts"},
      {"current-context: c\ncontexts: [5, {name: c}]", "current-context is \"c\", but contexts"},
      {"current-context: c\ncontexts: [{name: c, context: {cluster: k}}]",
       "context.cluster is \"k\", but clusters has none"},
      {"current-context: c\ncontexts: [{name: c, context: {cluster: k, user: u}}]\n"
       "clusters: [{name: k, cluster: {server: 'https://h'}}]\nusers: [{name: v, user: {}}]",
       "context.user is \"u\", but users has only \"v\""},
  };
  for (const Case& c : cases) EXPECT_THAT(ErrorOf(c.text), HasSubstr(c.error));
}

TEST(Kubeconfig, RefusesWhatIsNoKubeconfig) {
  for (const char* text : {"", "just text", "- a\n- b", "null"}) {
    EXPECT_THAT(ErrorOf(text), HasSubstr("not a kubeconfig (YAML or JSON)"));
  }
  for (const std::string& text : {std::string("a: [b"), std::string("\tx: 1"), std::string("*a"),
                                  std::string(100'000, '['), std::string("{\"a\": \xff\xfe")}) {
    EXPECT_FALSE(ErrorOf(text).empty());
  }
}

TEST(Kubeconfig, SaysWhenThereIsNoFile) {
  const TempDirectory directory;
  EXPECT_EQ(LoadKubeconfig(directory.path() / "config").status().message(),
            "cannot read the kubeconfig " + (directory.path() / "config").string());
  EXPECT_FALSE(LoadKubeconfig(directory.path()).ok());
}

TEST(Kubeconfig, NeitherItNorWhatItNamesMayBeTooLong) {
  EXPECT_EQ(LoadKubeconfig("/dev/zero").status().message(),
            "/dev/zero is longer than 1048576 bytes");
  EXPECT_THAT(ErrorOf(Config("{server: 'https://h', certificate-authority: /dev/zero}", "{}")),
              HasSubstr("cluster.certificate-authority: /dev/zero is longer than 1048576 bytes"));
  EXPECT_THAT(ErrorOf(Config("{server: 'https://h'}", "{tokenFile: /dev/zero}")),
              HasSubstr("user.tokenFile: /dev/zero is longer than 1048576 bytes"));
}

TEST(ServiceAccount, IsWhatThePodMounts) {
  const TempDirectory root;
  root.Write("token", "secret");
  root.Write("ca.crt", Authority().certificate());
  const Result<ApiServerAccess> access = LoadServiceAccount(root.path(), "10.96.0.1", "443");
  ASSERT_TRUE(access.ok()) << access.status();
  EXPECT_EQ(access->url, "https://10.96.0.1:443");
  EXPECT_EQ(access->ca_pem, Authority().certificate());
  EXPECT_EQ(access->token_file, root.path() / "token");
  EXPECT_EQ(LoadServiceAccount(root.path(), "fd00::1", "443")->url, "https://[fd00::1]:443");
}

TEST(ServiceAccount, SaysWhatIsMissing) {
  const TempDirectory root;
  EXPECT_THAT(LoadServiceAccount(root.path(), "", "443").status().message(),
              HasSubstr("KUBERNETES_SERVICE_HOST and KUBERNETES_SERVICE_PORT are not set"));
  EXPECT_THAT(LoadServiceAccount(root.path(), "10.96.0.1", "443").status().message(),
              HasSubstr("cannot read ca.crt and token in " + root.path().string()));
  EXPECT_FALSE(LoadServiceAccount(root.path(), "10.96.0.1", "port").ok());
}

}  // namespace
}  // namespace berth
