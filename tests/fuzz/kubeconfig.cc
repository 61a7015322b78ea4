// Text -> how to reach the API server. Whatever the text: either an error that begins with the
// file's name, or a URL that can be used and credentials that are whole.

#include "kube/kubeconfig.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "kube/server_url.h"
#include "property.h"

namespace berth {
namespace {

// A folder that is not there, so that no file of this machine is read by a relative name.
constexpr char kFile[] = "/nonexistent/kubeconfig";

void Check(const std::string& text) {
  const Result<ApiServerAccess> access = ParseKubeconfig(text, kFile);
  if (!access.ok()) {
    BERTH_CHECK(access.status().message().substr(0, sizeof(kFile) - 1) == kFile,
                "it names the file");
    return;
  }
  const Result<ServerUrl> url = ParseServerUrl(access->url);
  BERTH_CHECK(url.ok() && !url->host.empty(), "the URL can be used");
  BERTH_CHECK(access->client_certificate_pem.empty() == access->client_key_pem.empty(),
              "certificate and key go together");
  BERTH_CHECK(!access->insecure || access->ca_pem.empty(), "authorities are not for show");
}

}  // namespace
}  // namespace berth

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  berth::Check(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
