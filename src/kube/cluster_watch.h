#pragma once

#include <memory>

#include "base/log.h"
#include "base/metrics.h"
#include "base/rng.h"
#include "berth/clock.h"
#include "kube/fact_store.h"
#include "kube/kubeconfig.h"

namespace berth {

// Keeps a FactStore equal to the API server: lists nodes and pods in pages, then watches both with
// bookmarks. 410 Gone, a broken stream and unknown events lead to a resume or a new list, with
// jittered backoff (`seed`) up to 30 s. Objects that cannot be read are skipped and counted.
// Runs on two threads of its own from construction to destruction; destruction cuts open
// connections and returns at once.
class ClusterWatch {
 public:
  virtual ~ClusterWatch() = default;
};

std::unique_ptr<ClusterWatch> StartClusterWatch(const ApiServerAccess& access, FactStore& store,
                                                Rng::result_type seed, Metrics& metrics,
                                                Logger& log);

}  // namespace berth
