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
// bookmarks. A watch that ends or breaks is resumed; 410 Gone and anything that cannot be built
// upon lead to a new list; failures are followed by jittered pauses (`seed`) from 0.2 s up to 30 s.
// Objects that cannot be read are skipped and counted.
//
// Runs on two threads of its own from construction to destruction. Destruction cuts open
// connections and returns at once; only a connection that is just being made to a silent server
// can hold it up for a few seconds.
class ClusterWatch {
 public:
  virtual ~ClusterWatch() = default;
};

std::unique_ptr<ClusterWatch> StartClusterWatch(const ApiServerAccess& access, FactStore& store,
                                                Rng::result_type seed, Metrics& metrics,
                                                Logger& log);

}  // namespace berth
