#include "service/admin_gate.h"

#include <absl/strings/match.h>
#include <absl/strings/str_cat.h>
#include <absl/strings/strip.h>
#include <grpcpp/security/auth_context.h>
#include <grpcpp/server_context.h>
#include <openssl/crypto.h>

#include <utility>

#include "base/bounded_file.h"
#include "policy/sha256.h"

namespace berth {
namespace {

constexpr size_t kMaxTokenFileBytes = 64 << 10;
constexpr char kBearer[] = "Bearer ";

// How long this takes says nothing about where the two differ, nor how long the right one is.
bool IsSame(const std::string& shown, const std::string& right) {
  const std::string a = Sha256Hex(shown), b = Sha256Hex(right);
  return CRYPTO_memcmp(a.data(), b.data(), a.size()) == 0;
}

// Empty: none was shown.
std::string ShownToken(const grpc::ServerContext& context) {
  const auto found = context.client_metadata().find("authorization");
  if (found == context.client_metadata().end()) return "";
  const std::string value(found->second.data(), found->second.size());
  return std::string(absl::StripPrefix(value, kBearer));
}

// Empty: none was shown. The first alternative name, or else the common name.
std::string NameInCertificate(const grpc::ServerContext& context) {
  const auto peer = context.auth_context();
  if (peer == nullptr || !peer->IsPeerAuthenticated()) return "";
  const auto names = peer->GetPeerIdentity();
  return names.empty() ? "a certificate without a name"
                       : std::string(names.front().data(), names.front().size());
}

}  // namespace

AdminGate::AdminGate(std::filesystem::path token_file, bool certificates)
    : token_file_(std::move(token_file)), certificates_(certificates) {}

Status AdminGate::Check() const { return token_file_.empty() ? Status() : Token().status(); }

Result<std::string> AdminGate::Admit(const grpc::ServerContext& context) const {
  if (token_file_.empty() && !certificates_) {
    return absl::UnauthenticatedError(
        "nobody may change policies: start berth serve with --admin-token-file FILE, or with "
        "--tls-client-ca FILE");
  }
  if (const std::string token = ShownToken(context); !token.empty()) {
    if (Status right = CheckToken(token); !right.ok()) return right;
    return "token";
  }
  std::string name = certificates_ ? NameInCertificate(context) : "";
  if (!name.empty()) return name;
  return absl::UnauthenticatedError(
      "who changes policies shows a token: the first line of the file that berth serve "
      "--admin-token-file names, by berth policy --token-file FILE");
}

Status AdminGate::CheckToken(const std::string& shown) const {
  if (token_file_.empty()) {
    return absl::UnauthenticatedError(
        "berth serve has no --admin-token-file: show no token, but your certificate");
  }
  const Result<std::string> token = Token();
  if (!token.ok()) return absl::UnauthenticatedError(token.status().message());
  if (IsSame(shown, *token)) return {};
  return absl::UnauthenticatedError(
      "the token is not the first line of the file that berth serve --admin-token-file names");
}

Result<std::string> AdminGate::Token() const {
  const std::string option = absl::StrCat("--admin-token-file ", token_file_.string(), ": ");
  const Result<std::string> text = ReadBounded(token_file_, kMaxTokenFileBytes);
  if (!text.ok())
    return Status(text.status().code(), absl::StrCat(option, text.status().message()));
  std::string token = text->substr(0, text->find_first_of("\r\n"));
  if (token.size() >= kLeastTokenBytes) return token;
  return absl::InvalidArgumentError(
      absl::StrCat(option, "the first line has ", token.size(), " characters, must have ",
                   kLeastTokenBytes, " or more, such as what `openssl rand -hex 32` prints"));
}

}  // namespace berth
