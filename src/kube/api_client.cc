#include "kube/api_client.h"

#include <absl/cleanup/cleanup.h>
#include <httplib.h>
#include <netdb.h>
#include <netinet/tcp.h>
#include <openssl/ssl.h>

#include <utility>

#include "base/bounded_file.h"
#include "base/log.h"
#include "base/tls_context.h"

namespace berth {
namespace {

constexpr std::chrono::seconds kConnectTimeout(5);
constexpr size_t kMaxErrorBytes = 4096;
constexpr size_t kMaxTokenBytes = 1 << 20;

// A peer that has vanished without a word is noticed within half a minute.
void KeepAlive(int fd) {
  const int yes = 1, idle_s = 15, interval_s = 5, probes = 3;
  setsockopt(fd, SOL_SOCKET, SO_KEEPALIVE, &yes, sizeof(yes));
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPIDLE, &idle_s, sizeof(idle_s));
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPINTVL, &interval_s, sizeof(interval_s));
  setsockopt(fd, IPPROTO_TCP, TCP_KEEPCNT, &probes, sizeof(probes));
}

Result<std::string> NumericAddress(const std::string& host) {
  addrinfo* found = nullptr;
  if (const int error = getaddrinfo(host.c_str(), nullptr, nullptr, &found); error != 0) {
    return absl::UnavailableError("cannot resolve " + host + ": " + gai_strerror(error));
  }
  const absl::Cleanup free = [found] { freeaddrinfo(found); };
  char address[NI_MAXHOST];
  getnameinfo(found->ai_addr, found->ai_addrlen, address, sizeof(address), nullptr, 0,
              NI_NUMERICHOST);
  return std::string(address);
}

Status SetUpTls(const ApiServerAccess& access, const std::string& name, std::string* problem,
                SSL_CTX* context) {
  SSL_CTX_set_min_proto_version(context, TLS1_2_VERSION);
  if (!access.client_certificate_pem.empty()) {
    Status status = UseIdentity(context, access.client_certificate_pem, access.client_key_pem);
    if (!status.ok()) return status;
  }
  if (access.insecure) return absl::OkStatus();
  VerifyServer(context, name, problem);
  if (!access.ca_pem.empty()) return TrustAuthorities(context, access.ca_pem);
  SSL_CTX_set_default_verify_paths(context);
  return absl::OkStatus();
}

// Verification is OpenSSL's: httplib's own would trust the system's authorities as well.
Result<std::unique_ptr<httplib::ClientImpl>> MakeTlsClient(const ApiServerAccess& access,
                                                           const ServerUrl& url,
                                                           std::string* problem) {
  // The name also goes into the handshake (SNI), so httplib has to take it for the host.
  const std::string name = access.server_name.empty() ? url.host : access.server_name;
  auto client = std::make_unique<httplib::SSLClient>(name, url.port);
  client->enable_server_certificate_verification(false);
  if (name != url.host) {
    Result<std::string> address = NumericAddress(url.host);
    if (!address.ok()) return address.status();
    client->set_hostname_addr_map({{name, *std::move(address)}});
  }
  Status status = SetUpTls(access, name, problem, client->ssl_context());
  if (!status.ok()) return status;
  return client;
}

Status StatusOf(int http_status, const std::string& body) {
  const std::string message =
      "the API server answers " + std::to_string(http_status) + ": " + Quoted(body);
  switch (http_status) {
    case 401:
      return absl::UnauthenticatedError(message + " (is the token or client certificate right?)");
    case 403:
      return absl::PermissionDeniedError(message +
                                         " (get, list and watch of nodes and pods in all "
                                         "namespaces are needed)");
    case 410:
      return absl::OutOfRangeError(message);
    case 429:
      return absl::ResourceExhaustedError(message);
    default:
      return http_status >= 500 ? absl::UnavailableError(message)
                                : absl::InvalidArgumentError(message);
  }
}

}  // namespace

ApiClient::ApiClient(const ApiServerAccess& access)
    : access_(access), url_(ParseServerUrl(access.url)) {}
ApiClient::~ApiClient() = default;

Status ApiClient::Get(const std::string& target, std::chrono::seconds patience,
                      const OnBytes& on_bytes) {
  const Result<std::string> token = BearerToken();
  if (!token.ok()) return token.status();
  if (Status status = Connect(); !status.ok()) return status;
  httplib::Headers headers = {{"Accept", "application/json"}, {"User-Agent", "berth"}};
  if (!token->empty()) headers.emplace("Authorization", "Bearer " + *token);
  int status = 0;
  std::string error_body;
  client_->set_read_timeout(patience);
  const httplib::Result result = client_->Get(
      url_->prefix + target, headers,
      [&status](const httplib::Response& response) {
        status = response.status;
        return true;
      },
      [&](const char* data, size_t size) {
        if (status == 200) return on_bytes(std::string_view(data, size));
        error_body.append(data, std::min(size, kMaxErrorBytes - error_body.size()));
        return error_body.size() < kMaxErrorBytes;
      });
  if (status != 0 && status != 200) return StatusOf(status, error_body);
  if (result) return absl::OkStatus();
  Disconnect();
  if (result.error() == httplib::Error::Canceled) return absl::CancelledError("ended by us");
  return Failure(httplib::to_string(result.error()));
}

void ApiClient::Interrupt() {
  const std::lock_guard lock(mutex_);
  if (client_ != nullptr) client_->stop();
}

Status ApiClient::Connect() {
  if (!url_.ok()) return url_.status();
  if (client_ != nullptr) return absl::OkStatus();
  std::unique_ptr<httplib::ClientImpl> client;
  if (url_->tls) {
    tls_problem_.clear();
    Result<std::unique_ptr<httplib::ClientImpl>> made =
        MakeTlsClient(access_, *url_, &tls_problem_);
    if (!made.ok()) return made.status();
    client = *std::move(made);
  } else {
    client = std::make_unique<httplib::ClientImpl>(url_->host, url_->port);
  }
  client->set_keep_alive(true);
  client->set_tcp_nodelay(true);
  client->set_url_encode(false);
  client->set_socket_options(KeepAlive);
  client->set_connection_timeout(kConnectTimeout);
  const std::lock_guard lock(mutex_);
  client_ = std::move(client);
  return absl::OkStatus();
}

void ApiClient::Disconnect() {
  const std::lock_guard lock(mutex_);
  client_.reset();
}

Result<std::string> ApiClient::BearerToken() const {
  if (access_.token_file.empty()) return access_.token;
  std::string token = ReadBounded(access_.token_file, kMaxTokenBytes).value_or("");
  token.erase(0, token.find_first_not_of(" \t\r\n"));
  token.erase(token.find_last_not_of(" \t\r\n") + 1);
  if (token.empty() || token.find_first_of("\r\n") != std::string::npos) {
    return absl::UnauthenticatedError("no token in " + access_.token_file.string());
  }
  return token;
}

Status ApiClient::Failure(std::string_view what) {
  std::string message = "no answer from " + access_.url + " (" + std::string(what) + ")";
  if (!tls_problem_.empty()) message += ": the server's certificate: " + tls_problem_;
  return absl::UnavailableError(message);
}

std::string EscapeForQuery(std::string_view text) {
  constexpr std::string_view kPlain =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~";
  constexpr std::string_view kHex = "0123456789ABCDEF";
  std::string escaped;
  for (const char c : text) {
    if (kPlain.find(c) != std::string_view::npos) {
      escaped += c;
    } else {
      const auto byte = static_cast<unsigned char>(c);
      escaped += {'%', kHex[byte >> 4], kHex[byte & 15]};
    }
  }
  return escaped;
}

}  // namespace berth
