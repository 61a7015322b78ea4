#pragma once

#include <chrono>
#include <cstdint>
#include <string>

namespace berth {

enum class PolicyRole { kActive, kCanary, kShadow };

// The last decisions of a policy, and what was wrong with how many of them.
struct RecentDecisions {
  static constexpr int kMost = 200;

  int decisions = 0;    // at most kMost
  int not_finite = 0;   // a score was not finite
  int failed = 0;       // it failed or was late
  int guarded = 0;      // a guard did not let its choice stand (regret, ranges)
  int asked_again = 0;  // pods that came back: bound nowhere after its answer

  bool operator==(const RecentDecisions&) const = default;
};

// What a policy has done since it has its role.
struct PolicyTally {
  PolicyRole role = PolicyRole::kActive;
  std::string policy;     // name and version
  int64_t decisions = 0;  // that it was asked for, and that had more than one node to choose from
  int64_t differ = 0;  // of them, where it chose another node than the policy it is compared with
  // By how much more its choices fragment GPUs than those of that policy, over the GPUs asked for:
  // 0.005 is five GPUs for a thousand. Below 0: by how much less. Of an active policy: 0.
  double regret = 0;
  std::chrono::nanoseconds p50{0}, p99{0};  // of the time it took to answer
  int64_t guarded = 0;      // where the fallback answered in its place, whatever for
  int64_t asked_again = 0;  // pods that came back: bound nowhere after its answer
  RecentDecisions recent;
};

}  // namespace berth
