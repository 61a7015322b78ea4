#include "sim/replay_summary.h"

#include <algorithm>
#include <cmath>

namespace berth {
namespace {

double InSeconds(SimTime time) { return std::chrono::duration<double>(time).count(); }

// Waits of some of the jobs.
class WaitSample {
 public:
  void Add(const JobHistory& job) {
    if (job.state == JobHistory::State::kRefused) {
      ++refused_;
    } else {
      waits_.push_back(InSeconds(job.waited));
    }
  }

  WaitTimes Sum() {
    WaitTimes times{.jobs = static_cast<int64_t>(waits_.size()), .refused = refused_};
    if (waits_.empty()) return times;
    std::ranges::sort(waits_);
    double sum = 0;
    for (const double wait : waits_) sum += wait;
    times.mean = sum / static_cast<double>(waits_.size());
    times.median = Quantile(0.5);
    times.p99 = Quantile(0.99);
    times.longest = waits_.back();
    return times;
  }

 private:
  // The nearest rank: a wait that somebody had.
  double Quantile(double share) const {
    const double rank = std::ceil(share * static_cast<double>(waits_.size()));
    return waits_[static_cast<size_t>(rank) - 1];
  }

  std::vector<double> waits_;
  int64_t refused_ = 0;
};

// Where the slice of that number begins.
SimTime Boundary(const LivingHistory& history, size_t slice, size_t slices) {
  const double share = static_cast<double>(slice) / static_cast<double>(slices);
  return SimTime(std::llround(share * static_cast<double>(history.end.count())));
}

// Averages from one moment to another. `step` is one of the steps in the load that is not after
// `from`; it becomes the last one before `until`.
LoadSlice AverageLoad(const LivingHistory& history, SimTime from, SimTime until, size_t& step) {
  LoadSlice slice{.from = from};
  for (;; ++step) {
    const bool is_last = step + 1 == history.load.size();
    const SimTime begin = std::max(from, history.load[step].time);
    const SimTime end = is_last ? until : std::min(until, history.load[step + 1].time);
    const double share = std::max(0.0, InSeconds(end - begin)) / InSeconds(until - from);
    slice.gpus += share * static_cast<double>(history.load[step].used.value()) / kWholeGpu.value();
    slice.waiting += share * static_cast<double>(history.load[step].waiting);
    if (is_last || history.load[step + 1].time >= until) return slice;
  }
}

}  // namespace

ReplaySummary SummarizeReplay(const Replay& replay, const LivingHistory& history) {
  ReplaySummary summary;
  WaitSample all;
  std::array<WaitSample, kJobSizes> by_size;
  std::map<std::string, WaitSample> by_queue;
  for (size_t i = 0; i < replay.jobs.size(); ++i) {
    const TraceJob& job = replay.jobs[i];
    const JobHistory& fate = history.jobs[i];
    summary.left += fate.state == JobHistory::State::kLeft;
    if (fate.state == JobHistory::State::kRefused) summary.refused.push_back(job.pod.name);
    all.Add(fate);
    by_size[static_cast<size_t>(SizeOf(job.pod.demand, job.pods))].Add(fate);
    by_queue[job.queue].Add(fate);
  }
  summary.waits = all.Sum();
  for (size_t i = 0; i < kJobSizes; ++i) summary.waits_by_size[i] = by_size[i].Sum();
  for (auto& [queue, sample] : by_queue) summary.waits_by_queue[queue] = sample.Sum();
  const std::vector<LoadSlice> whole = SliceLoad(history, 1);
  if (!whole.empty()) summary.gpus = whole.front().gpus;
  if (!history.load.empty()) summary.in_use_at_end = history.load.back().used;
  return summary;
}

std::vector<LoadSlice> SliceLoad(const LivingHistory& history, size_t slices) {
  std::vector<LoadSlice> result;
  size_t step = 0;
  for (size_t i = 0; i < slices && history.end > SimTime(0); ++i) {
    const SimTime from = Boundary(history, i, slices), until = Boundary(history, i + 1, slices);
    if (from == until) continue;
    while (step > 0 && history.load[step].time > from) --step;
    result.push_back(AverageLoad(history, from, until, step));
  }
  return result;
}

}  // namespace berth
