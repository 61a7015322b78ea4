#include "sim/living_run.h"

#include <algorithm>

namespace berth {
namespace {

// GPUs in use x time, between two moments.
double GpuTime(const LivingHistory& history, SimTime from, SimTime until) {
  double sum = 0;
  for (size_t i = 0; i < history.load.size(); ++i) {
    const bool is_last = i + 1 == history.load.size();
    const SimTime begin = std::max(from, history.load[i].time);
    const SimTime end = std::min(until, is_last ? until : history.load[i + 1].time);
    if (end <= begin) continue;
    const auto milli_gpus = static_cast<double>(history.load[i].used.value());
    sum += milli_gpus / kWholeGpu.value() * static_cast<double>((end - begin).count());
  }
  return sum;
}

double GpusOf(const Trace& trace) {
  double gpus = 0;
  for (const NodeSpec& node : trace.nodes) gpus += node.gpus;
  return gpus;
}

void Count(const JobHistory& job, SimTime lifetime, Waits& waits) {
  ++waits.jobs;
  waits.still_waiting += job.state == JobHistory::State::kWaits;
  waits.mean += static_cast<double>(job.waited.count()) / static_cast<double>(lifetime.count());
}

void Average(Waits& waits) {
  if (waits.jobs > 0) waits.mean /= static_cast<double>(waits.jobs);
}

LivingResult Sum(const Trace& trace, const LivingWorkload& workload, const LivingHistory& history) {
  const auto window = static_cast<double>((history.end - workload.warm_up).count());
  LivingResult result{
      .allocated = GpuTime(history, workload.warm_up, history.end) / window / GpusOf(trace),
      .evicted = history.evicted};
  for (size_t i = 0; i < workload.jobs.size(); ++i) {
    const LivingJob& job = workload.jobs[i];
    if (job.arrives < workload.warm_up) continue;
    if (history.jobs[i].state == JobHistory::State::kRefused) continue;
    const JobSize size = SizeOf(trace.pods[job.pod].demand, job.pods);
    Count(history.jobs[i], workload.mean_lifetime, result.waits);
    Count(history.jobs[i], workload.mean_lifetime, result.waits_by_size[static_cast<size_t>(size)]);
  }
  Average(result.waits);
  std::ranges::for_each(result.waits_by_size, Average);
  return result;
}

}  // namespace

Result<LivingResult> RunLiving(const SimPolicy& policy, const Trace& trace,
                               const LivingWorkload& workload, const QueueRule& queue, Rng& rng) {
  const auto history = PlayLiving(policy, trace, workload, queue, rng);
  if (!history.ok()) return history.status();
  return Sum(trace, workload, *history);
}

}  // namespace berth
