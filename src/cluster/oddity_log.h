#pragma once

#include <absl/container/flat_hash_set.h>

#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>

#include "base/log.h"
#include "base/metrics.h"

namespace berth {

// What looks wrong in the events about a cluster, though the books can live with it.
enum class Oddity {
  kPodParked,            // bound to a node that is not known
  kPodMoved,             // bound to another node than before
  kPodUnbound,           // bound before, pending now
  kPodAfterGone,         // stated again after it was gone
  kPodInvalid,           // bound although its demand is invalid
  kPodOvercommitted,     // bound where its GPUs are not free
  kNodeGoneWithPods,     // gone while pods are bound to it
  kNodeReshaped,         // GPU count or accounting changed under pods
  kNodeOutOfRange,       // more GPUs than kMaxGpusPerNode, or a negative quantity
  kGpuChoiceImpossible,  // the policy chose GPUs that the pod cannot have
};

// Counts oddities in berth_cluster_oddities_total{kind} and logs each kind once per object.
// Thread-safe.
class OddityLog {
 public:
  // Both outlive this.
  OddityLog(Metrics& metrics, Logger& log);

  // `object` is the pod's UID or the node's name, `detail` is for people.
  void Record(Oddity oddity, std::string_view object, std::string_view detail);

 private:
  std::map<Oddity, Counter*> counters_;
  Logger& log_;
  std::mutex mutex_;  // of logged_
  absl::flat_hash_set<std::pair<Oddity, std::string>> logged_;
};

}  // namespace berth
