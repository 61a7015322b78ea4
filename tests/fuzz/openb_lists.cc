// Bytes -> node list and pod list. What is wrong is said with file, line and column, in UTF-8; what
// is read can be placed by someone; leaving out bad rows never reads more than a list has.

#include "sim/openb_lists.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "property.h"

namespace berth {
namespace {

void CheckError(const Status& status) {
  BERTH_CHECK(std::string(status.message()).starts_with("list.csv:"), "it names the place");
  BERTH_CHECK(IsUtf8(std::string(status.message())), "in UTF-8");
}

size_t LinesIn(std::string_view text) {
  return static_cast<size_t>(std::ranges::count(text, '\n')) + 1;
}

template <class T>
void CheckList(std::string_view text, const Result<std::vector<T>>& strict,
               const Result<std::vector<T>>& lenient, const std::vector<Status>& skipped) {
  for (const Status& error : skipped) CheckError(error);
  if (!strict.ok()) CheckError(strict.status());
  if (!lenient.ok()) return CheckError(lenient.status());
  BERTH_CHECK(strict.ok() == skipped.empty(), "strict is to accept what has nothing to skip");
  BERTH_CHECK(lenient->size() + skipped.size() < LinesIn(text) + 1, "at most a record per line");
  if (strict.ok()) BERTH_CHECK(strict->size() == lenient->size(), "and then both read the same");
}

void CheckPod(const Demand& demand) {
  BERTH_CHECK(demand.invalid.empty() && demand.gpus >= 0, "sound");
  BERTH_CHECK((demand.gpus == 0) == (demand.per_gpu == MilliGpu()), "shares are of GPUs");
  BERTH_CHECK(demand.gpus <= 1 || demand.per_gpu == kWholeGpu, "several are whole");
}

void CheckNodes(std::string_view text) {
  std::vector<Status> skipped;
  const auto lenient = ParseOpenbNodes(text, "list.csv", &skipped);
  CheckList(text, ParseOpenbNodes(text, "list.csv"), lenient, skipped);
}

void CheckPods(std::string_view text) {
  const std::vector<NodeSpec> nodes = {{.name = NodeName("node"),
                                        .gpus = 1,
                                        .model = GpuModel("T4"),
                                        .accounting = GpuAccounting::kManaged}};
  std::vector<Status> skipped;
  const auto lenient = ParseOpenbPods(text, "list.csv", nodes, &skipped);
  CheckList(text, ParseOpenbPods(text, "list.csv", nodes), lenient, skipped);
  if (!lenient.ok()) return;
  for (const TracePod& pod : *lenient) CheckPod(pod.demand);
}

}  // namespace
}  // namespace berth

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  berth::CheckNodes(text);
  berth::CheckPods(text);
  return 0;
}
