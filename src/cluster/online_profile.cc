#include "cluster/online_profile.h"

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

namespace berth {

bool OnlineProfile::Add(const PodClass& pod_class) {
  const auto counted = counts_.try_emplace(pod_class, 0).first;
  ++counted->second;
  window_.push_back(counted);
  ++arrivals_;
  if (window_.size() > kWindow) {
    const auto oldest = window_.front();
    window_.pop_front();
    if (--oldest->second == 0) counts_.erase(oldest);
  }
  if (!EpochEnds()) return false;
  Renew();
  return true;
}

bool OnlineProfile::EpochEnds() const {
  const size_t epoch = std::clamp(arrivals_in_profile_, kFirst, kWindow / 4);
  return arrivals_ == arrivals_in_profile_ + epoch;
}

void OnlineProfile::Renew() {
  arrivals_in_profile_ = arrivals_;
  std::vector<ClassCount> classes;
  for (const auto& [pod_class, count] : counts_) classes.push_back({pod_class, count});
  const WorkloadProfile mix("online-" + std::to_string(arrivals_), classes);
  profile_ = std::make_shared<const WorkloadProfile>(
      mix.On(profile_->fleet()).WithDepartures(profile_->pods_leave()));
}

}  // namespace berth
