#pragma once

#include <absl/container/flat_hash_set.h>

#include <deque>

#include "berth/units.h"

namespace berth {

// UIDs of pods that are gone. A UID is never used again, so whatever still speaks of such a pod is
// late news. Remembers the last 10,000.
class GonePods {
 public:
  void Add(const PodUid& uid);
  bool Contains(const PodUid& uid) const { return uids_.contains(uid); }

 private:
  absl::flat_hash_set<PodUid> uids_;
  std::deque<PodUid> oldest_first_;
};

}  // namespace berth
