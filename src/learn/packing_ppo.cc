#include "learn/packing_ppo.h"

#include <algorithm>
#include <utility>

#include "base/check.h"
#include "sim/in_parallel.h"

namespace berth {
namespace {

// F of the FGD paper, in GPUs.
size_t FragmentationFeature() {
  const auto table = StateFeatureTable();
  const auto found = std::ranges::find(table, "fragmentation", &FeatureColumn::name);
  BERTH_CHECK(found != table.end(), "fragmentation is a state feature");
  return found - table.begin();
}

// What a step brought: nothing but losses. Potential-based, with -shaping * F as the potential.
std::vector<double> RewardsOf(const std::vector<PackingRollout::Step>& steps, double shaping) {
  const size_t fragmentation = FragmentationFeature();
  std::vector<double> rewards;
  for (size_t i = 0; i < steps.size(); ++i) {
    const size_t next = std::min(i + 1, steps.size() - 1);
    const double grown = steps[next].summary[fragmentation] - steps[i].summary[fragmentation];
    rewards.push_back(-steps[i].failed - shaping * grown);
  }
  return rewards;
}

// What is still to come before each step.
std::vector<double> ReturnsOf(std::vector<double> rewards) {
  for (size_t i = rewards.size() - 1; i-- > 0;) rewards[i] += rewards[i + 1];
  return rewards;
}

std::vector<double> ValuesOf(const std::vector<PackingRollout::Step>& steps,
                             const ClusterCritic& critic) {
  std::vector<double> values;
  for (const auto& step : steps) values.push_back(critic.Value(step.load, step.summary));
  return values;
}

std::vector<double> AdvantagesOf(std::span<const double> rewards, std::span<const double> values,
                                 const Discounts& discounts) {
  std::vector<RatedStep> rated;
  for (size_t i = 0; i < rewards.size(); ++i) rated.push_back({rewards[i], values[i]});
  rated.back().end = StepEnd::kTerminated;
  return Advantages(rated, discounts);
}

using Rollouts = std::vector<PackingRollout>;

// In which the critic sums up clusters: as much as a feature varies, on each node.
std::array<double, kStateFeatures> SummaryUnits(const FeatureScales& scales, size_t nodes) {
  std::array<double, kStateFeatures> units = scales.after;
  for (double& unit : units) unit *= static_cast<double>(nodes);
  return units;
}

// From a part of the steps, since those next to each other are alike.
void TeachCritic(const Rollouts& rollouts, const PackingPpoSettings& settings,
                 ClusterCritic& critic) {
  constexpr size_t kEvery = 4;
  critic.Fade(settings.critic_keep);
  for (const PackingRollout& rollout : rollouts) {
    const std::vector<double> returns = ReturnsOf(RewardsOf(rollout.steps, settings.shaping));
    for (size_t i = 0; i < returns.size(); i += kEvery) {
      critic.Add(rollout.steps[i].load, rollout.steps[i].summary, returns[i]);
    }
  }
  critic.Solve();
}

std::vector<ChoiceLesson> LessonsFrom(const Rollouts& rollouts, const ClusterCritic& critic,
                                      const PackingPpoSettings& settings) {
  std::vector<ChoiceLesson> lessons;
  std::vector<double> advantages;
  for (const PackingRollout& rollout : rollouts) {
    const std::vector<double> of_steps =
        AdvantagesOf(RewardsOf(rollout.steps, settings.shaping), ValuesOf(rollout.steps, critic),
                     settings.discounts);
    for (const NodeChoice& choice : rollout.choices) {
      const auto log_probabilities =
          choice.LogProbabilities(ChoiceWeights{}, settings.learning.temperature);
      lessons.push_back({&choice, log_probabilities[choice.chosen]});
      advantages.push_back(of_steps[choice.step]);
    }
  }
  Standardise(advantages);
  for (size_t i = 0; i < lessons.size(); ++i) lessons[i].advantage = advantages[i];
  return lessons;
}

// What the episodes brought, without shaping, and how well the critic foretold it with.
void Describe(const Rollouts& rollouts, const ClusterCritic& critic, double shaping,
              PackingPpoReport& report) {
  std::vector<double> expected, came;
  for (const PackingRollout& rollout : rollouts) {
    for (const auto& step : rollout.steps) report.mean_return -= step.failed;
    report.choices += rollout.choices.size();
    const std::vector<double> values = ValuesOf(rollout.steps, critic);
    const std::vector<double> returns = ReturnsOf(RewardsOf(rollout.steps, shaping));
    expected.insert(expected.end(), values.begin(), values.end());
    came.insert(came.end(), returns.begin(), returns.end());
  }
  report.mean_return /= static_cast<double>(rollouts.size());
  report.explained_variance = ExplainedVariance(expected, came);
}

}  // namespace

PackingPpoState InitialPackingPpo(size_t blocks) {
  const size_t parameters = blocks * kBlockParameters;
  return {.parameters = std::vector<double>(parameters),
          .adam = Adam<double>(parameters).state(),
          .critic = ClusterCritic({}).state()};
}

Result<Rollouts> PlayLessons(const PackingTeacher& teacher,
                             const std::vector<PackingLesson>& lessons,
                             const RolloutSettings& settings, const SimPolicy* expert) {
  return InParallel(lessons, {.threads = teacher.threads}, [&](const PackingLesson& lesson) {
    return RollOutPacking(teacher.policy, teacher.episodes.trace(lesson.list), lesson.order,
                          teacher.scales, settings, expert, Rng(lesson.seed));
  });
}

Result<PackingPpoReport> UpdatePackingPpo(const PackingTeacher& teacher,
                                          const std::vector<PackingLesson>& lessons,
                                          const PackingPpoSettings& settings, double rate, Rng& rng,
                                          PackingPpoState& state) {
  const auto rollouts = PlayLessons(teacher, lessons, settings.rollout, /*expert=*/nullptr);
  if (!rollouts.ok()) return rollouts.status();
  ClusterCritic critic(SummaryUnits(teacher.scales, teacher.episodes.trace(0).trace.nodes.size()));
  critic.Restore(state.critic);
  const bool knows_nothing = state.adam.steps == 0;
  if (knows_nothing) TeachCritic(*rollouts, settings, critic);
  PackingPpoReport report;
  Describe(*rollouts, critic, settings.shaping, report);
  Adam<double> adam(state.parameters.size());
  adam.Restore(state.adam);
  const std::vector<ChoiceLesson> choices = LessonsFrom(*rollouts, critic, settings);
  const auto learned = LearnFromChoices(choices, teacher.blocks, settings.learning, rate,
                                        state.parameters, adam, rng);
  if (!learned.ok()) return learned.status();
  report.learning = *learned;
  if (!knows_nothing) TeachCritic(*rollouts, settings, critic);
  state.adam = adam.state();
  state.critic = critic.state();
  return report;
}

}  // namespace berth
