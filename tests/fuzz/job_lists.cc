// Bytes -> jobs, by each of the lists that have them. What is wrong is said with file, line and
// column, in UTF-8; jobs that are read can be played; leaving out bad rows never reads more than a
// list has.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "property.h"
#include "sim/job_list.h"
#include "sim/openb_lists.h"
#include "sim/philly_list.h"

namespace berth {
namespace {

using ParseJobs = Result<std::vector<TraceJob>> (*)(std::string_view text, std::string_view file,
                                                    std::span<const NodeSpec> nodes,
                                                    std::vector<Status>* skipped);

void CheckError(const Status& status) {
  BERTH_CHECK(std::string(status.message()).starts_with("list.csv:"), "it names the place");
  BERTH_CHECK(IsUtf8(std::string(status.message())), "in UTF-8");
}

void CheckJob(const TraceJob& job) {
  constexpr SimTime kMost = std::chrono::seconds(10'000'000'000);
  BERTH_CHECK(job.submitted >= SimTime(0) && job.submitted <= kMost, "it begins some time");
  BERTH_CHECK(job.runs >= SimTime(0) && job.runs <= kMost, "and ends");
  BERTH_CHECK(job.pods >= 1, "there is something of it");
  const Demand& demand = job.pod.demand;
  BERTH_CHECK(demand.invalid.empty() && demand.gpus >= 0, "sound");
  BERTH_CHECK((demand.gpus == 0) == (demand.per_gpu == MilliGpu()), "shares are of GPUs");
  BERTH_CHECK(demand.gpus <= 1 || demand.per_gpu == kWholeGpu, "several are whole");
}

void CheckJobs(std::string_view text, ParseJobs parse) {
  const std::vector<NodeSpec> nodes = {{.name = NodeName("node"),
                                        .gpus = 8,
                                        .model = GpuModel("T4"),
                                        .accounting = GpuAccounting::kManaged}};
  std::vector<Status> skipped;
  const auto strict = parse(text, "list.csv", nodes, nullptr);
  const auto lenient = parse(text, "list.csv", nodes, &skipped);
  for (const Status& error : skipped) CheckError(error);
  if (!strict.ok()) CheckError(strict.status());
  if (!lenient.ok()) return CheckError(lenient.status());
  const auto lines = static_cast<size_t>(std::ranges::count(text, '\n')) + 1;
  BERTH_CHECK(strict.ok() == skipped.empty(), "strict is to accept what has nothing to skip");
  BERTH_CHECK(lenient->size() + skipped.size() <= lines, "at most a record per line");
  if (strict.ok()) BERTH_CHECK(*strict == *lenient, "and then both read the same");
  for (const TraceJob& job : *lenient) CheckJob(job);
}

}  // namespace
}  // namespace berth

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  berth::CheckJobs(text, berth::ParseJobList);
  berth::CheckJobs(text, berth::ParsePhillyList);
  berth::CheckJobs(text, berth::ParseOpenbJobs);
  return 0;
}
