// What a child process says that ran code nobody vouches for -> verdict. Whatever it says: either a
// time that can be, or a sentence.

#include "torch/probe_verdict.h"

#include <cstddef>
#include <cstdint>
#include <string>

#include "property.h"

namespace berth {
namespace {

void Check(const std::string& output) {
  const ChildEnd end{.how = ChildEnd::How::kExited, .code = 0, .output = output};
  const Result<ProbeReport> verdict = VerdictOf(end, ChildLimits());
  if (verdict.ok()) {
    BERTH_CHECK(verdict->forward.count() >= 0, "a time that can be");
  } else {
    BERTH_CHECK(absl::IsFailedPrecondition(verdict.status()), "the policy is to blame");
    BERTH_CHECK(!verdict.status().message().empty(), "it says why");
    BERTH_CHECK(IsUtf8(std::string(verdict.status().message())), "in UTF-8");
  }
  const ChildEnd honest{.how = ChildEnd::How::kExited, .code = 0, .output = WriteVerdict(verdict)};
  BERTH_CHECK(VerdictOf(honest, ChildLimits()) == verdict, "written out it reads the same");
}

}  // namespace
}  // namespace berth

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  berth::Check(std::string(reinterpret_cast<const char*>(data), size));
  return 0;
}
