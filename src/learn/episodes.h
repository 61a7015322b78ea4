#pragma once

#include <cstddef>
#include <memory>

#include "berth/result.h"
#include "policy/learned_policy.h"
#include "sim/sim_policy.h"

namespace berth {

// Episodes in which policies are tried: of several pod lists, and of each list the same number of
// orders in which its pods come. Immutable; safe from any thread.
class Episodes {
 public:
  virtual ~Episodes() = default;

  virtual size_t lists() const = 0;
  virtual size_t orders() const = 0;  // of each list

  // What the policy is worth in one episode, in points above a heuristic that plays the same;
  // deterministic. Errors: the simulation's; INTERNAL when a score is not finite.
  virtual Result<double> Play(std::shared_ptr<const LearnedPolicy> policy, size_t list,
                              size_t order) const = 0;

  // Lets any policy play the episode, for what its scorer sees meanwhile. Errors: as of Play.
  virtual Status Show(const SimPolicy& policy, size_t list, size_t order) const = 0;
};

using EpisodesPtr = std::unique_ptr<const Episodes>;

}  // namespace berth
