// JSON -> manifest of a policy. What is read can be written, and what is written reads as the same.

#include "torch/manifest.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "property.h"

namespace berth {
namespace {

void Check(const std::string& text) {
  const Result<PolicyManifest> manifest = ParseManifest(text);
  if (!manifest.ok()) {
    BERTH_CHECK(!manifest.status().message().empty(), "it says why");
    BERTH_CHECK(IsUtf8(std::string(manifest.status().message())), "in UTF-8");
    return;
  }
  BERTH_CHECK(!manifest->name.empty() && !manifest->version.empty(), "it has a name");
  const Result<PolicyManifest> again = ParseManifest(WriteManifest(*manifest));
  BERTH_CHECK(again.ok() && *again == *manifest, "written out it reads the same");
}

}  // namespace
}  // namespace berth

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  berth::Check(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
