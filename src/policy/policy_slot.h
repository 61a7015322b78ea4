#pragma once

#include <memory>
#include <mutex>
#include <utility>

#include "base/check.h"
#include "berth/policy.h"

namespace berth {

// The policy in charge, which may be swapped while requests are under way. Thread-safe; nobody is
// kept waiting for longer than it takes to copy a pointer.
class PolicySlot {
 public:
  // REQUIRES of both: not null.
  explicit PolicySlot(ScorerPtr policy) : policy_(std::move(policy)) {
    BERTH_CHECK(policy_ != nullptr, "somebody is always in charge");
  }

  // Who answers a request asks once and keeps what it got until the answer is given: so no answer
  // is of two policies.
  ScorerPtr Get() const {
    const std::lock_guard lock(mutex_);
    return policy_;
  }

  // For requests from now on. Returns the one that was in charge; requests under way may still have
  // it, so the caller keeps it until it is the last: freeing a model is no work for a request.
  ScorerPtr Swap(ScorerPtr next) {
    BERTH_CHECK(next != nullptr, "somebody is always in charge");
    const std::lock_guard lock(mutex_);
    return std::exchange(policy_, std::move(next));
  }

 private:
  mutable std::mutex mutex_;
  ScorerPtr policy_;
};

}  // namespace berth
