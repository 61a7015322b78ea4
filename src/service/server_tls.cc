#include "service/server_tls.h"

#include <absl/strings/str_cat.h>
#include <grpcpp/security/server_credentials.h>
#include <openssl/ssl.h>

#include "base/bounded_file.h"
#include "base/tls_context.h"

namespace berth {
namespace {

constexpr size_t kMaxPemBytes = 1 << 20;

Status Named(const std::string& option, const Status& status) {
  return Status(status.code(), absl::StrCat(option, ": ", status.message()));
}

// gRPC itself would only say that it cannot listen.
Status Check(const TlsFiles& files, const grpc::SslServerCredentialsOptions& pem) {
  const std::unique_ptr<SSL_CTX, decltype(&SSL_CTX_free)> scratch(SSL_CTX_new(TLS_server_method()),
                                                                  SSL_CTX_free);
  const auto& [key, certificate] = pem.pem_key_cert_pairs.front();
  if (Status status = UseIdentity(scratch.get(), certificate, key); !status.ok()) {
    return Named(absl::StrCat("--tls-cert ", files.certificate, " --tls-key ", files.key), status);
  }
  if (files.client_ca.empty()) return {};
  if (Status status = TrustAuthorities(scratch.get(), pem.pem_root_certs); !status.ok()) {
    return Named(absl::StrCat("--tls-client-ca ", files.client_ca), status);
  }
  return {};
}

}  // namespace

Result<std::shared_ptr<grpc::ServerCredentials>> MakeServerCredentials(const TlsFiles& files) {
  if (files.certificate.empty()) return grpc::InsecureServerCredentials();
  grpc::SslServerCredentialsOptions pem;
  pem.pem_key_cert_pairs.emplace_back();
  auto& [key, certificate] = pem.pem_key_cert_pairs.back();
  struct {
    const char* option;
    const std::string& file;
    std::string& text;
  } const reads[] = {{"--tls-cert", files.certificate, certificate},
                     {"--tls-key", files.key, key},
                     {"--tls-client-ca", files.client_ca, pem.pem_root_certs}};
  for (const auto& read : reads) {
    if (read.file.empty()) continue;
    Result<std::string> text = ReadBounded(read.file, kMaxPemBytes);
    if (!text.ok()) return Named(read.option, text.status());
    read.text = *std::move(text);
  }
  if (Status status = Check(files, pem); !status.ok()) return status;
  if (!files.client_ca.empty()) {
    pem.client_certificate_request = GRPC_SSL_REQUEST_AND_REQUIRE_CLIENT_CERTIFICATE_AND_VERIFY;
  }
  return grpc::SslServerCredentials(pem);
}

}  // namespace berth
