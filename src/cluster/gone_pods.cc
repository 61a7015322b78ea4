#include "cluster/gone_pods.h"

namespace berth {
namespace {

constexpr size_t kRemembered = 10'000;

}  // namespace

void GonePods::Add(const PodUid& uid) {
  if (!uids_.insert(uid).second) return;
  oldest_first_.push_back(uid);
  if (oldest_first_.size() <= kRemembered) return;
  uids_.erase(oldest_first_.front());
  oldest_first_.pop_front();
}

}  // namespace berth
