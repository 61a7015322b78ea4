#pragma once

#include <memory>
#include <mutex>
#include <span>
#include <utility>

#include "base/check.h"
#include "policy/policy_routes.h"

namespace berth {

// The policies that answer, which may be swapped while requests are under way. Thread-safe; nobody
// is kept waiting for longer than it takes to copy a pointer.
class PolicySlot {
 public:
  // REQUIRES of both: there is an active policy.
  explicit PolicySlot(PolicyRoutes routes) : routes_(Shared(std::move(routes))) {}

  // Who answers a request asks once and keeps what it got until the answer is given: so no answer
  // is of two policies.
  PolicyRoutesPtr Get() const {
    const std::lock_guard lock(mutex_);
    return routes_;
  }

  // Who answers for that pod. What is returned keeps the routes alive, so that a policy is never
  // freed by the last request that has it, but by who swapped it out.
  ServedPolicyPtr For(const DecidedPod& pod, std::span<const Node* const> candidates) const {
    const PolicyRoutesPtr routes = Get();
    return {routes, routes->For(pod, candidates).get()};
  }

  // For requests from now on. Returns those until now; requests under way may still have them, so
  // the caller keeps them until it is the last: freeing a model is no work for a request.
  PolicyRoutesPtr Swap(PolicyRoutes next) {
    PolicyRoutesPtr shared = Shared(std::move(next));
    const std::lock_guard lock(mutex_);
    return std::exchange(routes_, std::move(shared));
  }

 private:
  static PolicyRoutesPtr Shared(PolicyRoutes routes) {
    BERTH_CHECK(routes.active != nullptr, "somebody is always in charge");
    return std::make_shared<const PolicyRoutes>(std::move(routes));
  }

  mutable std::mutex mutex_;
  PolicyRoutesPtr routes_;
};

}  // namespace berth
