#pragma once

#include <filesystem>
#include <string>

#include "berth/result.h"

namespace berth {

// How to reach an API server and prove who we are.
struct ApiServerAccess {
  std::string url;          // scheme, host, port and an optional path prefix
  std::string ca_pem;       // empty: the system's authorities
  bool insecure = false;    // do not verify the server: only when the kubeconfig says so
  std::string server_name;  // name to verify in place of the URL's host; empty: the host
  std::string client_certificate_pem;
  std::string client_key_pem;
  std::string token;                 // bearer token; empty: none
  std::filesystem::path token_file;  // read anew for every request, before `token`; empty: none
};

// Reads the current context of a kubeconfig (YAML or JSON; data inline or as files relative to it).
// Neither it nor what it names may have more than 1 MiB.
// Errors name the file and the field, and what would be right.
Result<ApiServerAccess> LoadKubeconfig(const std::filesystem::path& file);

// The same of a text that was read already; `file` is for messages and relative paths.
Result<ApiServerAccess> ParseKubeconfig(const std::string& text, const std::filesystem::path& file);

// From the service account that Kubernetes mounts into a pod. `root` is
// "/var/run/secrets/kubernetes.io/serviceaccount"; host and port come from KUBERNETES_SERVICE_HOST
// and KUBERNETES_SERVICE_PORT.
Result<ApiServerAccess> LoadServiceAccount(const std::filesystem::path& root,
                                           const std::string& host, const std::string& port);

}  // namespace berth
