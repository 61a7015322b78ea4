#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "berth/result.h"
#include "learn/weight_block.h"
#include "policy/learned_policy.h"
#include "sim/evaluation.h"

namespace berth {

// How an episode of packing is judged, in points of allocation: what the policy has allocated when
// 100 % of the GPUs have been asked for, above FGD in the same order; less what it has lost to FGD
// before that, beyond a margin that is noise.
struct PackingJudgement {
  std::vector<size_t> loads;  // arrived percent, at which a loss counts
  double margin = 0.02;       // points
  double loss_weight = 1;

  double Points(std::span<const double> policy, std::span<const double> fgd) const;
};

// Orders of one mix, with what FGD makes of them.
struct PackingEpisodes {
  SeededTrace trace;
  // Of each order: allocation at the loads of the judgement, and last at 100 %.
  std::vector<std::vector<double>> fgd;
};

// Cut off where the last load and 100 % have been seen. Runs FGD once per order, on so many
// threads.
Result<std::vector<PackingEpisodes>> MakePackingEpisodes(std::vector<SeededTrace> traces,
                                                         const PackingJudgement& judgement,
                                                         int threads);

// What a policy is worth in one episode.
Result<double> PlayPacking(std::shared_ptr<const LearnedPolicy> policy,
                           const PackingEpisodes& episodes, size_t order,
                           const PackingJudgement& judgement);

// How state features vary where FGD + best-fit packs, over the first order of each trace.
Result<FeatureScales> MeasureScales(std::span<const PackingEpisodes> episodes);

}  // namespace berth
