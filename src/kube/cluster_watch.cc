#include "kube/cluster_watch.h"

#include "kube/resource_watch.h"

namespace berth {
namespace {

class NodesAndPodsWatch final : public ClusterWatch {
 public:
  NodesAndPodsWatch(const ApiServerAccess& access, FactStore& store, Rng::result_type seed,
                    Metrics& metrics, Logger& log)
      : nodes_(ObjectKind::kNode, access, store, seed, metrics, log),
        pods_(ObjectKind::kPod, access, store, seed + 1, metrics, log) {}

 private:
  ResourceWatch nodes_;
  ResourceWatch pods_;
};

}  // namespace

std::unique_ptr<ClusterWatch> StartClusterWatch(const ApiServerAccess& access, FactStore& store,
                                                Rng::result_type seed, Metrics& metrics,
                                                Logger& log) {
  return std::make_unique<NodesAndPodsWatch>(access, store, seed, metrics, log);
}

}  // namespace berth
