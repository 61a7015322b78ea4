#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "berth/result.h"
#include "learn/episodes.h"
#include "sim/living_run.h"
#include "sim/living_suite.h"
#include "sim/trace.h"

namespace berth {

// How a living cluster is judged, against FGD + best-fit with the same arrivals and lifetimes. A
// setting is worth the sum of
//   Worth(ln ratio of the mean waits)
//   0.5 x Worth(mean over the sizes of jobs of the ln ratios of their mean waits)
//   Worth(0.25 x the points of allocation gained)
// where Worth(x) = 1 - exp(-x) of a gain and 3x of a loss; an episode is the weighted mean over its
// settings. So jobs of every size count, however few; and since gains saturate while losses do not,
// no mix of pods, queue or size of job pays for what another gains.
struct LivingJudgement {
  struct Weighted {
    LivingSetting setting;
    double weight = 1;
  };

  std::vector<Weighted> settings;
  LivingSpan span;

  static double Points(const LivingResult& policy, const LivingResult& reference);
};

// Clusters in which pods arrive, wait, run and leave. An order is the seed of the arrivals and
// lifetimes; an episode plays it in every setting.
class LivingEpisodes final : public Episodes {
 public:
  // Runs FGD + best-fit once per list, order and setting, on so many threads.
  // Errors: those of RunLiving (sim/living_run.h).
  static Result<std::unique_ptr<LivingEpisodes>> Make(std::vector<Trace> traces,
                                                      std::vector<uint64_t> seeds,
                                                      LivingJudgement judgement, int threads);

  size_t lists() const override { return traces_.size(); }
  size_t orders() const override { return seeds_.size(); }
  Result<double> Play(std::shared_ptr<const LearnedPolicy> policy, size_t list,
                      size_t order) const override;
  Status Show(const SimPolicy& policy, size_t list, size_t order) const override;

 private:
  LivingEpisodes(std::vector<Trace> traces, std::vector<uint64_t> seeds, LivingJudgement judgement);

  Result<std::vector<LivingResult>> Run(const SimPolicy& policy, size_t list, size_t order) const;

  const std::vector<Trace> traces_;
  const std::vector<uint64_t> seeds_;
  const LivingJudgement judgement_;
  std::vector<std::vector<LivingResult>> reference_;  // by list x order, and setting
};

}  // namespace berth
