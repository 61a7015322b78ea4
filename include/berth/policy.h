#pragma once

#include <memory>
#include <span>
#include <string_view>

#include "berth/clock.h"
#include "berth/cluster_view.h"
#include "berth/result.h"

namespace berth {

// A question to a policy: how good is each candidate for this pod?
struct ScoreRequest {
  ClusterViewPtr cluster;                   // never null; keeps the candidates alive
  const Demand& demand;                     // sound (demand.invalid is empty)
  std::span<const Node* const> candidates;  // nodes of `cluster` that can take the demand now
  Clock::TimePoint deadline = Clock::TimePoint::max();
};

// Why another than the policy that was asked answered. policy/guard_text.h puts it into words.
enum class Guard {
  kNone,       // nobody stepped in
  kError,      // the policy failed
  kDeadline,   // it was late
  kNotFinite,  // it gave a score that is not a number
  kRegret,     // its choice looked much worse than the heuristic's
  kRanges,     // it saw too much that it had not seen in training
};

// Who has scored a request.
struct Answer {
  // Implicit, so that a policy that answers for itself returns its name.
  Answer(std::string_view policy, Guard guard = Guard::kNone) : policy(policy), guard(guard) {}

  std::string_view policy;  // the name of the one that answered; lives as long as the scorer
  Guard guard;              // what made another answer than the one that was asked

  bool operator==(const Answer&) const = default;
};

// Ranks nodes for one pod. Higher is better.
//
// A score depends on its own candidate, the demand, and the cluster's context and profile only:
// never on the other candidates, their order or number. So scores may be cached, equal nodes are
// equal, and asking about a subset changes nothing. tests/conformance holds every policy to this.
// Feasibility is decided outside: a policy only ranks (see policy/ranking.h, which also breaks
// ties by node name).
//
// Safe to call from many threads at once.
class Scorer {
 public:
  virtual ~Scorer() = default;

  // Short and stable; goes into metrics, logs and file names.
  virtual std::string_view name() const = 0;

  // Writes one finite score per candidate, in candidate order, and returns who answered: the policy
  // itself, or the one it wraps, or the one that stepped in for it and why.
  // REQUIRES: scores.size() == request.candidates.size().
  // On error the scores are unspecified. Does not throw. A scorer that may run long is wrapped in
  // MakeDeadlineScorer (policy/deadline.h).
  virtual Result<Answer> Score(const ScoreRequest& request, std::span<float> scores) const = 0;

  // The GPUs of `node` that this policy would give the pod, on a node that can take it.
  // Empty for a pod without GPUs. The default is ChooseGpusBestFit (cluster/gpu_choice.h).
  virtual GpuSet ChooseGpus(const Node& node, const Demand& demand,
                            const WorkloadProfile& profile) const;
};

using ScorerPtr = std::shared_ptr<const Scorer>;

}  // namespace berth
