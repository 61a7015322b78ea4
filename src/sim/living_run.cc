#include "sim/living_run.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "sim/placer.h"
#include "sim/sim_cluster.h"

namespace berth {
namespace {

struct Arrival {
  uint32_t job;
};
struct Departure {
  uint32_t job;
  uint32_t start;  // which start of the job it ends; it may have been evicted since
};
using Event = std::variant<Arrival, Departure, NodeEvent>;

constexpr int kPodsLeave = 1;

class LivingRun {
 public:
  LivingRun(const SimPolicy& policy, const Trace& trace, const LivingWorkload& workload,
            const QueueRule& queue, Rng& rng)
      : workload_(workload),
        queue_(queue),
        demands_(trace.pods),
        cluster_(trace.nodes),
        placer_(policy, cluster_, demands_, trace.profile, kPodsLeave, rng),
        jobs_(workload.jobs.size()),
        nodes_(trace.nodes.size()) {}

  Result<LivingResult> Run() {
    for (const NodeEvent& event : workload_.node_events) events_.Add(event.time, event);
    for (uint32_t job = 0; job < jobs_.size(); ++job) {
      events_.Add(workload_.jobs[job].arrives, Arrival{job});
    }
    while (!events_.empty() && events_.next() < workload_.horizon) {
      AdvanceTo(events_.next());
      std::visit([this](const auto& event) { Happen(event); }, events_.Pop());
      if (Status placed = PlaceWaiting(); !placed.ok()) return placed;
    }
    AdvanceTo(workload_.horizon);
    return Sum();
  }

 private:
  struct Job {
    SimTime waits_since;  // while it waits
    SimTime waited;       // before it was placed last, in all
    uint32_t starts = 0;
    std::optional<Placer::Place> place;  // while it runs
    bool waits = false;
  };

  struct NodeState {
    bool failed = false, cordoned = false;  // a failed one that returns is as cordoned as before
    std::vector<uint32_t> jobs;             // that run on it
  };

  const Demand& DemandOf(uint32_t job) const { return demands_.distinct[NumberOf(job)]; }
  uint32_t NumberOf(uint32_t job) const { return demands_.of_pod[workload_.jobs[job].pod]; }

  void AdvanceTo(SimTime time) {
    const SimTime from = std::max(now_, workload_.warm_up);
    if (time > from) {
      used_ += static_cast<double>((time - from).count()) * cluster_.gpu_used().value();
    }
    now_ = time;
  }

  void Happen(const Arrival& arrival) { Wait(arrival.job); }

  void Happen(const Departure& departure) {
    if (jobs_[departure.job].starts != departure.start) return;
    if (jobs_[departure.job].place) Leave(departure.job);
  }

  void Happen(const NodeEvent& event) {
    using Kind = NodeEvent::Kind;
    NodeState& node = nodes_[event.node];
    if (event.kind == Kind::kFails || event.kind == Kind::kReturns) {
      node.failed = event.kind == Kind::kFails;
    } else {
      node.cordoned = event.kind == Kind::kCordoned;
    }
    cluster_.SetOpen(event.node, !node.failed && !node.cordoned);
    if (event.kind == Kind::kFails) Evict(event.node);
  }

  void Wait(uint32_t job) {
    jobs_[job].waits = true;
    jobs_[job].waits_since = now_;
    waiting_.push_back(job);
  }

  void Leave(uint32_t job) {
    const Placer::Place place = *std::exchange(jobs_[job].place, std::nullopt);
    cluster_.Remove(place.node, DemandOf(job), place.gpus);
    std::erase(nodes_[place.node].jobs, job);
  }

  void Evict(uint32_t node) {
    for (const uint32_t job : std::vector(nodes_[node].jobs)) {
      Leave(job);
      Wait(job);
      ++evicted_;
    }
  }

  // Tries those that wait. A demand that fits nowhere is tried once: meanwhile it only gets fuller.
  Status PlaceWaiting() {
    std::vector<bool> in_vain(demands_.distinct.size());
    size_t kept = 0;
    for (size_t i = 0; i < waiting_.size(); ++i) {
      const uint32_t job = waiting_[i];
      bool started = false;
      if (kept < queue_.tried_in_vain && !in_vain[NumberOf(job)]) {
        const Result<bool> start = TryStart(job);
        if (!start.ok()) return start.status();
        started = *start;
        in_vain[NumberOf(job)] = !started;
      }
      if (!started) waiting_[kept++] = job;
    }
    waiting_.resize(kept);
    return absl::OkStatus();
  }

  Result<bool> TryStart(uint32_t job) {
    Result<std::optional<Placer::Place>> place = placer_.TryPlace(NumberOf(job));
    if (!place.ok()) return place.status();
    if (!*place) return false;
    Job& state = jobs_[job];
    nodes_[(*place)->node].jobs.push_back(job);
    state.place = *std::move(place);
    state.waits = false;
    state.waited += now_ - state.waits_since;
    events_.Add(now_ + workload_.jobs[job].runs, Departure{job, ++state.starts});
    return true;
  }

  LivingResult Sum() const {
    const auto window = static_cast<double>((workload_.horizon - workload_.warm_up).count());
    LivingResult result{.allocated = used_ / window / cluster_.gpu_capacity().value(),
                        .evicted = evicted_};
    for (uint32_t job = 0; job < jobs_.size(); ++job) {
      if (workload_.jobs[job].arrives < workload_.warm_up) continue;
      for (Waits* waits :
           {&result.waits, &result.waits_by_size[static_cast<size_t>(SizeOf(DemandOf(job)))]}) {
        Count(jobs_[job], *waits);
      }
    }
    Average(result.waits);
    std::ranges::for_each(result.waits_by_size, Average);
    return result;
  }

  void Count(const Job& job, Waits& waits) const {
    ++waits.jobs;
    waits.still_waiting += job.waits;
    const SimTime waited = job.waited + (job.waits ? now_ - job.waits_since : SimTime());
    waits.mean +=
        static_cast<double>(waited.count()) / static_cast<double>(workload_.mean_lifetime.count());
  }

  static void Average(Waits& waits) {
    if (waits.jobs > 0) waits.mean /= static_cast<double>(waits.jobs);
  }

  const LivingWorkload& workload_;
  const QueueRule& queue_;
  const Demands demands_;
  SimCluster cluster_;
  Placer placer_;
  EventQueue<Event> events_;
  std::vector<Job> jobs_;
  std::vector<NodeState> nodes_;
  std::vector<uint32_t> waiting_;  // oldest first
  SimTime now_{0};
  double used_ = 0;  // milli-GPU x microseconds since the warm-up
  int64_t evicted_ = 0;
};

}  // namespace

JobSize SizeOf(const Demand& demand) {
  if (demand.gpus == 0) return JobSize::kNoGpu;
  if (demand.IsShare()) return JobSize::kShare;
  if (demand.gpus == 1) return JobSize::kOneGpu;
  return demand.gpus < 8 ? JobSize::kSeveralGpus : JobSize::kEightGpus;
}

std::string_view NameOf(JobSize size) {
  constexpr std::string_view kNames[] = {"no GPU", "share", "1 GPU", "2-7 GPUs", "8+ GPUs"};
  return kNames[static_cast<size_t>(size)];
}

Result<LivingResult> RunLiving(const SimPolicy& policy, const Trace& trace,
                               const LivingWorkload& workload, const QueueRule& queue, Rng& rng) {
  return LivingRun(policy, trace, workload, queue, rng).Run();
}

}  // namespace berth
