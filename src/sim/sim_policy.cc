#include "sim/sim_policy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <vector>

#include "base/log.h"
#include "policy/heuristics.h"
#include "sim/gpu_clustering.h"

namespace berth {
namespace {

// One that needs to know no more of the cluster than its nodes.
template <ScorerPtr (*kMake)()>
ScorerPtr Plain(const SimCluster&) {
  return kMake();
}

const std::vector<SimPolicy>& All() {
  static const std::vector<SimPolicy> policies = {
      {"random", "Random", Plain<MakeFirstFit>, TieRule::kRandom, ShareRule::kRandom},
      {"dotprod", "DotProd", Plain<MakeDotProd>},
      {"gpuclustering", "GpuClustering", MakeGpuClustering},
      {"gpupacking", "GpuPacking", Plain<MakeGpuPacking>},
      {"bestfit", "BestFit", Plain<MakeBestFitInteger>},
      {"fgd", "FGD", Plain<MakeFgd>},
      {"fgd-random-ties", "", Plain<MakeFgd>, TieRule::kRandom},
      {"fgd-precise", "", Plain<MakeFgdPrecise>},
      {"fgd-bestfit", "", Plain<MakeFgdBestFit>},
      {"bestfit-precise", "", Plain<MakeBestFit>},
      {"first-fit", "", Plain<MakeFirstFit>},
      {"bin-pack", "", Plain<MakeBinPack>},
      {"spread", "", Plain<MakeSpread>},
  };
  return policies;
}

}  // namespace

std::span<const SimPolicy> SimPolicies() { return All(); }

Result<SimPolicy> FindSimPolicy(std::string_view name) {
  std::vector<std::string_view> names;
  for (const SimPolicy& policy : All()) {
    if (policy.name == name) return policy;
    names.push_back(policy.name);
  }
  return absl::NotFoundError(
      fmt::format("no policy is called {}; there are {}", Quoted(name), fmt::join(names, ", ")));
}

}  // namespace berth
