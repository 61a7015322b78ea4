#include "learn/living_episodes.h"

#include <cmath>
#include <numeric>
#include <utility>

#include "learn/learned_sim_policy.h"
#include "sim/in_parallel.h"

namespace berth {
namespace {

constexpr double kPerPointAllocated = 0.25;
constexpr double kSizesCount = 0.5;  // beside the mean over all jobs
constexpr double kLossCounts = 3;    // times as much as a small gain

// Above 0 when `policy` waits less. Half a thousandth of a lifetime more or less is noise.
double LogRatio(const Waits& policy, const Waits& reference) {
  constexpr double kNoise = 0.0005;
  return std::log((reference.mean + kNoise) / (policy.mean + kNoise));
}

double MeanLogRatio(const std::array<Waits, kJobSizes>& policy,
                    const std::array<Waits, kJobSizes>& reference) {
  double sum = 0;
  for (size_t size = 0; size < kJobSizes; ++size) sum += LogRatio(policy[size], reference[size]);
  return sum / kJobSizes;
}

// What a gain or a loss of that size counts.
double Worth(double gain) { return gain < 0 ? kLossCounts * gain : 1 - std::exp(-gain); }

}  // namespace

double LivingJudgement::Points(const LivingResult& policy, const LivingResult& reference) {
  return Worth(LogRatio(policy.waits, reference.waits)) +
         kSizesCount * Worth(MeanLogRatio(policy.waits_by_size, reference.waits_by_size)) +
         Worth(kPerPointAllocated * 100 * (policy.allocated - reference.allocated));
}

LivingEpisodes::LivingEpisodes(std::vector<Trace> traces, std::vector<uint64_t> seeds,
                               LivingJudgement judgement)
    : traces_(std::move(traces)), seeds_(std::move(seeds)), judgement_(std::move(judgement)) {}

Result<std::unique_ptr<LivingEpisodes>> LivingEpisodes::Make(std::vector<Trace> traces,
                                                             std::vector<uint64_t> seeds,
                                                             LivingJudgement judgement,
                                                             int threads) {
  std::unique_ptr<LivingEpisodes> episodes(
      new LivingEpisodes(std::move(traces), std::move(seeds), std::move(judgement)));
  // The same as the policy of that name, and quicker.
  const SimPolicy reference =
      Simulated(std::make_shared<const LearnedPolicy>(FgdBestFitAsLearned("fgd-bestfit")));
  std::vector<size_t> numbers(episodes->lists() * episodes->orders());
  std::iota(numbers.begin(), numbers.end(), 0);
  auto results = InParallel(numbers, {.threads = threads}, [&](size_t number) {
    return episodes->Run(reference, number / episodes->orders(), number % episodes->orders());
  });
  if (!results.ok()) return results.status();
  episodes->reference_ = *std::move(results);
  return episodes;
}

Result<double> LivingEpisodes::Play(std::shared_ptr<const LearnedPolicy> policy, size_t list,
                                    size_t order) const {
  const auto played = Run(Simulated(std::move(policy)), list, order);
  if (!played.ok()) return played.status();
  const std::vector<LivingResult>& reference = reference_[list * orders() + order];
  double sum = 0, weights = 0;
  for (size_t i = 0; i < played->size(); ++i) {
    const double weight = judgement_.settings[i].weight;
    sum += weight * LivingJudgement::Points((*played)[i], reference[i]);
    weights += weight;
  }
  return sum / weights;
}

Status LivingEpisodes::Show(const SimPolicy& policy, size_t list, size_t order) const {
  return Run(policy, list, order).status();
}

Result<std::vector<LivingResult>> LivingEpisodes::Run(const SimPolicy& policy, size_t list,
                                                      size_t order) const {
  std::vector<LivingResult> results;
  for (const auto& [setting, weight] : judgement_.settings) {
    Rng draws(seeds_[order]), chance(seeds_[order]);
    const LivingWorkload workload =
        DrawLivingWorkload(traces_[list], setting.load, draws, judgement_.span);
    const auto result = RunLiving(policy, traces_[list], workload, setting.queue, chance);
    if (!result.ok()) return result.status();
    results.push_back(*result);
  }
  return results;
}

}  // namespace berth
