#include "rpc/client_tls.h"

#include <absl/strings/str_cat.h>
#include <grpcpp/security/credentials.h>

#include "base/bounded_file.h"

namespace berth {
namespace {

constexpr size_t kMaxPemBytes = 1 << 20;

}  // namespace

Result<std::shared_ptr<grpc::ChannelCredentials>> MakeClientCredentials(
    const ClientTlsFiles& files) {
  if (files.ca.empty()) return grpc::InsecureChannelCredentials();
  grpc::SslCredentialsOptions pem;
  struct {
    const char* option;
    const std::string& file;
    std::string& text;
  } const reads[] = {{"--tls-ca", files.ca, pem.pem_root_certs},
                     {"--tls-cert", files.certificate, pem.pem_cert_chain},
                     {"--tls-key", files.key, pem.pem_private_key}};
  for (const auto& read : reads) {
    if (read.file.empty()) continue;
    Result<std::string> text = ReadBounded(read.file, kMaxPemBytes);
    if (!text.ok()) {
      return Status(text.status().code(), absl::StrCat(read.option, ": ", text.status().message()));
    }
    read.text = *std::move(text);
  }
  return grpc::SslCredentials(pem);
}

}  // namespace berth
