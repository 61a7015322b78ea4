#include "sim/replay.h"

#include <algorithm>
#include <memory>
#include <utility>

namespace berth {
namespace {

// One after the other, all jobs have to end before SimTime does.
Status CheckLength(const std::vector<TraceJob>& jobs) {
  SimTime left = SimTime::max() / 2;
  for (const TraceJob& job : jobs) {
    if (job.runs > left) {
      return absl::InvalidArgumentError(
          "the jobs run for more than 146,000 years in all; durations should be in seconds");
    }
    left -= job.runs;
  }
  return absl::OkStatus();
}

WorkloadProfilePtr MixOf(const std::vector<TraceJob>& jobs) {
  std::vector<ClassCount> classes;
  classes.reserve(jobs.size());
  for (const TraceJob& job : jobs) classes.push_back({ClassOf(job.pod.demand), job.pods});
  return std::make_shared<const WorkloadProfile>("exact", classes);
}

}  // namespace

Result<Replay> MakeReplay(std::vector<NodeSpec> nodes, std::vector<TraceJob> jobs) {
  if (Status sound = CheckLength(jobs); !sound.ok()) return sound;
  std::ranges::stable_sort(jobs, {}, &TraceJob::submitted);
  Replay replay{.trace = {.nodes = std::move(nodes), .profile = MixOf(jobs)},
                .workload = {.horizon = kUntilNothingHappens}};
  for (const TraceJob& job : jobs) {
    const auto pod = static_cast<uint32_t>(replay.trace.pods.size());
    replay.trace.pods.push_back(job.pod);
    replay.workload.jobs.push_back({.arrives = job.submitted - jobs.front().submitted,
                                    .runs = job.runs,
                                    .pod = pod,
                                    .pods = job.pods,
                                    .priority = job.priority});
  }
  replay.jobs = std::move(jobs);
  return replay;
}

}  // namespace berth
