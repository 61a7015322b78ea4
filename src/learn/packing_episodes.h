#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "berth/result.h"
#include "learn/episodes.h"
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

// Orders in which pods arrive until no more fit, judged against FGD.
class PackingEpisodes final : public Episodes {
 public:
  // The traces are cut off where the last load and 100 % have been seen. Runs FGD once per order,
  // on so many threads. Errors: those of RunPacking (sim/packing_run.h).
  // REQUIRES: each trace has as many orders.
  static Result<std::unique_ptr<PackingEpisodes>> Make(std::vector<SeededTrace> traces,
                                                       PackingJudgement judgement, int threads);

  size_t lists() const override { return traces_.size(); }
  size_t orders() const override { return traces_.front().seeds.size(); }
  Result<double> Play(std::shared_ptr<const LearnedPolicy> policy, size_t list,
                      size_t order) const override;
  Status Show(const SimPolicy& policy, size_t list, size_t order) const override;

  const SeededTrace& trace(size_t list) const { return traces_[list]; }
  // Allocation of FGD at the loads of the judgement, and last at 100 %.
  std::span<const double> fgd(size_t list, size_t order) const { return fgd_[list][order]; }

 private:
  PackingEpisodes(std::vector<SeededTrace> traces, PackingJudgement judgement);

  Result<std::vector<double>> Run(const SimPolicy& policy, size_t list, size_t order) const;

  std::vector<SeededTrace> traces_;
  const PackingJudgement judgement_;
  std::vector<std::vector<std::vector<double>>> fgd_;  // by list and order
};

// How state features vary where FGD + best-fit packs, over the first order of each list.
Result<FeatureScales> MeasureScales(const PackingEpisodes& episodes);

}  // namespace berth
