#include "sim/living_history.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <map>
#include <optional>
#include <utility>
#include <variant>

#include "sim/idle_fit.h"
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

constexpr bool kPodsLeave = true;
constexpr uint32_t kNever = std::numeric_limits<uint32_t>::max();

class LivingPlay {
 public:
  LivingPlay(const SimPolicy& policy, const Trace& trace, const LivingWorkload& workload,
             const QueueRule& queue, Rng& rng)
      : workload_(workload),
        queue_(queue),
        demands_(trace.pods),
        cluster_(trace.nodes),
        placer_(policy, cluster_, demands_, MixOn(cluster_, trace.profile, kPodsLeave), rng),
        jobs_(workload.jobs.size()),
        nodes_(trace.nodes.size()),
        in_vain_(demands_.distinct.size(), kNever) {
    history_.jobs.resize(jobs_.size());
    if (trace.online) placer_.LearnFromArrivals();
  }

  Result<LivingHistory> Play() {
    for (const NodeEvent& event : workload_.node_events) events_.Add(event.time, event);
    for (uint32_t job = 0; job < jobs_.size(); ++job) {
      events_.Add(workload_.jobs[job].arrives, Arrival{job});
    }
    while (!events_.empty() && events_.next() < workload_.horizon) {
      now_ = events_.next();
      const Event event = events_.Pop();
      std::visit([this](const auto& kind) { Happen(kind); }, event);
      if (Status placed = PlaceWaiting(); !placed.ok()) return placed;
      if (const auto* arrival = std::get_if<Arrival>(&event)) Learn(arrival->job);
      RecordLoad();
    }
    if (workload_.horizon != kUntilNothingHappens) now_ = workload_.horizon;
    history_.end = now_;
    for (const Waiting& waiting : waiting_) CountWait(waiting.job);
    return std::move(history_);
  }

 private:
  using State = JobHistory::State;

  struct Job {
    SimTime waits_since;  // while it waits
    uint32_t starts = 0;
    std::vector<Placer::Place> places;  // of each pod, while it runs
  };

  struct Waiting {
    uint32_t job, demand, pods;
  };

  struct NodeState {
    bool failed = false, cordoned = false;  // a failed one that returns is as cordoned as before
    std::vector<uint32_t> jobs;             // of each pod that runs on it
  };

  uint32_t NumberOf(uint32_t job) const { return demands_.of_pod[workload_.jobs[job].pod]; }
  const Demand& DemandOf(uint32_t job) const { return demands_.distinct[NumberOf(job)]; }
  int64_t PriorityOf(uint32_t job) const { return workload_.jobs[job].priority; }
  State& StateOf(uint32_t job) { return history_.jobs[job].state; }

  void Happen(const Arrival& arrival) {
    if (FitsWhenIdle(arrival.job)) {
      Wait(arrival.job);
    } else {
      StateOf(arrival.job) = State::kRefused;
    }
  }

  void Happen(const Departure& departure) {
    if (jobs_[departure.job].starts != departure.start) return;
    if (StateOf(departure.job) != State::kRuns) return;
    Leave(departure.job);
    StateOf(departure.job) = State::kLeft;
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
    ThereIsRoomOn(event.node);
    if (event.kind == Kind::kFails) Evict(event.node);
  }

  void Learn(uint32_t job) {
    for (uint32_t pod = 0; pod < workload_.jobs[job].pods; ++pod) placer_.Arrived(NumberOf(job));
  }

  bool FitsWhenIdle(uint32_t job) {
    const uint32_t pods = workload_.jobs[job].pods;
    IdleFit& known = idle_fit_.try_emplace(NumberOf(job)).first->second;
    if (known.asked < pods) {
      known = {pods, FitWhenIdle(cluster_.nodes(), DemandOf(job), pods)};
    }
    return known.fit >= pods;
  }

  void Wait(uint32_t job) {
    StateOf(job) = State::kWaits;
    jobs_[job].waits_since = now_;
    const auto behind =
        std::ranges::upper_bound(waiting_, PriorityOf(job), std::greater(),
                                 [this](const Waiting& other) { return PriorityOf(other.job); });
    hopeless_ = std::min(hopeless_, static_cast<size_t>(behind - waiting_.begin()));
    waiting_.insert(behind, {job, NumberOf(job), workload_.jobs[job].pods});
  }

  void CountWait(uint32_t job) { history_.jobs[job].waited += now_ - jobs_[job].waits_since; }

  void Leave(uint32_t job) {
    for (const Placer::Place& place : std::exchange(jobs_[job].places, {})) {
      cluster_.Remove(place.node, DemandOf(job), place.gpus);
      std::erase(nodes_[place.node].jobs, job);
      ThereIsRoomOn(place.node);
    }
  }

  void Evict(uint32_t node) {
    for (const uint32_t job : std::vector(nodes_[node].jobs)) {
      if (StateOf(job) != State::kRuns) continue;  // another of its pods was on the node too
      Leave(job);
      Wait(job);
      ++history_.evicted;
    }
  }

  // What was tried in vain may find a place now, if it is one that the node can take.
  void ThereIsRoomOn(size_t node) {
    const size_t erased = std::erase_if(demands_in_vain_, [&](uint32_t demand) {
      const bool has_hope = placer_.CanTake(node, demand);
      if (has_hope) in_vain_[demand] = kNever;
      return has_hope;
    });
    if (erased > 0) hopeless_ = 0;
  }

  Status PlaceWaiting() {
    size_t kept = hopeless_, next = hopeless_;
    for (; next < waiting_.size() && kept < queue_.tried_in_vain; ++next) {
      const Waiting waiting = waiting_[next];
      const Result<bool> start = TryStart(waiting);
      if (!start.ok()) return start.status();
      if (!*start) waiting_[kept++] = waiting;
    }
    const auto begin = waiting_.begin();
    waiting_.erase(begin + static_cast<ptrdiff_t>(kept), begin + static_cast<ptrdiff_t>(next));
    hopeless_ = kept;
    return absl::OkStatus();
  }

  Result<bool> TryStart(const Waiting& waiting) {
    uint32_t& in_vain = in_vain_[waiting.demand];
    if (waiting.pods >= in_vain) return false;
    auto places = TryPlaceAll(waiting.job);
    if (!places.ok()) return places.status();
    if (places->empty()) {
      if (in_vain == kNever) demands_in_vain_.push_back(waiting.demand);
      in_vain = waiting.pods;
      return false;
    }
    Start(waiting.job, *std::move(places));
    return true;
  }

  // A place for each pod of the job, or none for any.
  Result<std::vector<Placer::Place>> TryPlaceAll(uint32_t job) {
    std::vector<Placer::Place> places;
    while (places.size() < workload_.jobs[job].pods) {
      Result<std::optional<Placer::Place>> place = placer_.TryPlace(NumberOf(job));
      if (!place.ok()) return place.status();
      if (!*place) {
        for (const auto& taken : places) cluster_.Remove(taken.node, DemandOf(job), taken.gpus);
        return std::vector<Placer::Place>();
      }
      places.push_back(**std::move(place));
    }
    return places;
  }

  void Start(uint32_t job, std::vector<Placer::Place> places) {
    CountWait(job);
    StateOf(job) = State::kRuns;
    for (const Placer::Place& place : places) nodes_[place.node].jobs.push_back(job);
    jobs_[job].places = std::move(places);
    events_.Add(now_ + workload_.jobs[job].runs, Departure{job, ++jobs_[job].starts});
  }

  void RecordLoad() {
    const Load load{now_, cluster_.gpu_used(), waiting_.size()};
    if (!history_.load.empty() && history_.load.back().time == now_) history_.load.pop_back();
    history_.load.push_back(load);
  }

  struct IdleFit {
    uint32_t asked = 0;  // about so many pods
    uint32_t fit = 0;
  };

  const LivingWorkload& workload_;
  const QueueRule& queue_;
  const Demands demands_;
  SimCluster cluster_;
  Placer placer_;
  EventQueue<Event> events_;
  std::vector<Job> jobs_;
  std::vector<NodeState> nodes_;
  std::vector<Waiting> waiting_;  // in the order in which they are tried
  size_t hopeless_ = 0;           // so many of them, from the first, would be tried in vain
  // Of each demand: the fewest pods that found no place since a node got room for it. Meanwhile it
  // only gets fuller, so as many or more need not be tried.
  std::vector<uint32_t> in_vain_;
  std::vector<uint32_t> demands_in_vain_;  // those that have such a number
  std::map<uint32_t, IdleFit> idle_fit_;   // by the number of the demand
  SimTime now_{0};
  LivingHistory history_;
};

}  // namespace

Result<LivingHistory> PlayLiving(const SimPolicy& policy, const Trace& trace,
                                 const LivingWorkload& workload, const QueueRule& queue, Rng& rng) {
  return LivingPlay(policy, trace, workload, queue, rng).Play();
}

}  // namespace berth
