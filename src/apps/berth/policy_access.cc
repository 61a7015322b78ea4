#include "apps/berth/policy_access.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <string>

namespace berth {

void AddPoliciesAccess(CLI::App& sub, PoliciesAccess& access) {
  access.target = "127.0.0.1:8790";
  sub.add_option("--service", access.target, "Address of `berth serve --policies`")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  CLI::Option* token = sub.add_option(
      "--token-file", access.token_file,
      "Its first line is the token of `berth serve --admin-token-file`, which changes "
      "need; looking does not");
  CLI::Option* ca =
      sub.add_option("--tls-ca", access.tls.ca,
                     "Speak TLS; the service has a certificate of this authority (PEM)");
  CLI::Option* certificate = sub.add_option("--tls-cert", access.tls.certificate,
                                            "Certificate (PEM) to show; may stand for a token");
  CLI::Option* key = sub.add_option("--tls-key", access.tls.key, "Its private key (PEM)");
  for (CLI::Option* option : {token, ca, certificate, key}) option->type_name("FILE");
  certificate->needs(ca)->needs(key);
  key->needs(certificate);
}

int PolicyCommandFailed(std::string_view command, const Status& status) {
  const std::string message(status.message());
  const size_t first_line = message.find('\n');
  std::cerr << "berth policy " << command << ": " << message.substr(0, first_line) << "\n";
  if (!absl::IsPermissionDenied(status)) return EXIT_FAILURE;
  if (first_line != message.npos) std::cout << message.substr(first_line + 1);
  return kCommitInstead;
}

}  // namespace berth
