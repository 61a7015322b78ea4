#include "sim/gpu_clustering.h"

#include <cstdint>
#include <memory>

#include "policy/openb_limits.h"

namespace berth {
namespace {

constexpr auto kMostGpu = static_cast<int64_t>(kOpenbMostGpu);

int64_t Company(GpuPodKinds hosted, GpuPodKinds own) {
  if (hosted == own) return 75;
  if ((hosted & own) != 0) return 50;
  return hosted == 0 ? 25 : 0;
}

class GpuClustering final : public Scorer {
 public:
  explicit GpuClustering(const SimCluster& cluster) : cluster_(cluster) {}

  std::string_view name() const override { return "gpu-clustering"; }

  Result<Answer> Score(const ScoreRequest& request, std::span<float> scores) const override {
    const GpuPodKinds own = KindOf(request.demand);
    for (size_t i = 0; i < scores.size(); ++i) {
      const Node& node = *request.candidates[i];
      const int64_t used = kMostGpu - node.free.TotalGpu().value();
      const int64_t score =
          own == 0 ? 0 : Company(cluster_.KindsOn(node), own) + 25 * used / kMostGpu;
      scores[i] = static_cast<float>(score);
    }
    return name();
  }

 private:
  const SimCluster& cluster_;
};

}  // namespace

ScorerPtr MakeGpuClustering(const SimCluster& cluster) {
  return std::make_shared<GpuClustering>(cluster);
}

}  // namespace berth
