#include "learn/packing_imitation.h"

namespace berth {

Result<PackingPpoReport> ImitateInPacking(const PackingTeacher& teacher,
                                          const std::vector<PackingLesson>& lessons,
                                          const SimPolicy& expert, double temperature, double rate,
                                          Rng& rng, PackingPpoState& state) {
  const auto rollouts = PlayLessons(teacher, lessons, {.temperature = temperature}, &expert);
  if (!rollouts.ok()) return rollouts.status();
  PackingPpoReport report;
  std::vector<ChoiceLesson> choices;
  for (const PackingRollout& rollout : *rollouts) {
    for (const NodeChoice& choice : rollout.choices) choices.push_back({.choice = &choice});
    for (const auto& step : rollout.steps) report.mean_return -= step.failed;
    report.choices += rollout.choices.size();
  }
  report.mean_return /= static_cast<double>(rollouts->size());
  Adam<double> adam(state.parameters.size());
  adam.Restore(state.adam);
  const ChoiceLearningSettings settings{.loss = ChoiceLoss::kImitation, .temperature = temperature};
  const auto learned =
      LearnFromChoices(choices, teacher.blocks, settings, rate, state.parameters, adam, rng);
  if (!learned.ok()) return learned.status();
  report.learning = *learned;
  state.adam = adam.state();
  return report;
}

}  // namespace berth
