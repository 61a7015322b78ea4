#pragma once

#include <cstddef>
#include <cstdint>
#include <deque>
#include <map>

#include "berth/workload_profile.h"

namespace berth {

// The mix of the pods that arrived last. What is learned about it moves in coarse epochs, since
// whoever remembers scores has to forget them when the profile changes: after the first kFirst
// arrivals, then whenever their number has doubled, and once kWindow have arrived after every
// quarter of that. Until the first epoch the prior is all that is known; later it does not count,
// but for its fleet and whether pods leave.
// Not thread-safe.
class OnlineProfile {
 public:
  static constexpr size_t kFirst = 64;
  static constexpr size_t kWindow = 4096;  // so many arrivals are counted

  explicit OnlineProfile(WorkloadProfilePtr prior) : profile_(std::move(prior)) {}

  // One more pod has arrived. Whether the profile is another one now.
  bool Add(const PodClass& pod_class);

  // Of arrivals up to the last epoch. Its version tells epochs apart.
  const WorkloadProfilePtr& profile() const { return profile_; }

 private:
  using Counts = std::map<PodClass, int64_t>;

  bool EpochEnds() const;
  void Renew();

  WorkloadProfilePtr profile_;
  size_t arrivals_ = 0;
  size_t arrivals_in_profile_ = 0;
  Counts counts_;
  std::deque<Counts::iterator> window_;  // oldest first
};

}  // namespace berth
