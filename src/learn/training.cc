#include "learn/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "learn/packing_imitation.h"
#include "sim/draw.h"
#include "sim/in_parallel.h"
#include "sim/openb_suite.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

// The lists of a recipe, in whose directory they lie.
class Lists {
 public:
  Lists(const Recipe& recipe, fs::path directory)
      : recipe_(recipe), directory_(std::move(directory)) {}

  Result<std::vector<SeededTrace>> Read(const std::vector<std::string>& names,
                                        const SeedRange& seeds) const {
    std::vector<std::string> pods;
    for (const std::string& name : names) pods.push_back((directory_ / name).string());
    return DrawTraces(directory_ / recipe_.nodes, pods, seeds.All(), nullptr);
  }

 private:
  const Recipe& recipe_;
  const fs::path directory_;
};

Result<std::unique_ptr<PackingEpisodes>> ReadPacking(
    const Lists& lists, const std::vector<std::string>& pods,
    const RegimeRecipe<PackingJudgement>::Orders& orders, int threads) {
  auto traces = lists.Read(pods, orders.seeds);
  if (!traces.ok()) return traces.status();
  return PackingEpisodes::Make(*std::move(traces), orders.judgement, threads);
}

Result<std::unique_ptr<LivingEpisodes>> ReadLiving(
    const Lists& lists, const std::vector<std::string>& pods,
    const RegimeRecipe<LivingJudgement>::Orders& orders, int threads) {
  auto seeded = lists.Read(pods, {});
  if (!seeded.ok()) return seeded.status();
  std::vector<Trace> traces;
  for (SeededTrace& trace : *seeded) traces.push_back(std::move(trace.trace));
  return LivingEpisodes::Make(std::move(traces), orders.seeds.All(), orders.judgement, threads);
}

// So many different numbers below `below`, ascending.
std::vector<size_t> DrawSome(size_t count, size_t below, Rng& rng) {
  std::vector<size_t> numbers(below);
  std::iota(numbers.begin(), numbers.end(), 0);
  Shuffle(numbers, rng);
  numbers.resize(count);
  std::ranges::sort(numbers);
  return numbers;
}

double Mean(std::span<const double> values) {
  return std::reduce(values.begin(), values.end()) / static_cast<double>(values.size());
}

PackingPpoSettings PpoSettingsOf(const GradientMethod& method) {
  PackingPpoSettings settings;
  settings.rollout.temperature = settings.learning.temperature = method.temperature;
  return settings;
}

}  // namespace

Result<TrainingData> PrepareTraining(const Recipe& recipe, const fs::path& directory, int threads) {
  const Lists lists(recipe, directory);
  TrainingData data;
  const RegimeRecipe<PackingJudgement>& packing = recipe.packing;
  auto train = ReadPacking(lists, packing.pods, packing.train, threads);
  if (!train.ok()) return train.status();
  auto validate = ReadPacking(lists, packing.pods, packing.validate, threads);
  if (!validate.ok()) return validate.status();
  const auto scales = MeasureScales(**train);
  if (!scales.ok()) return scales.status();
  data.scales = *scales;
  data.train[Regime::kPacking] = *std::move(train);
  data.validate[Regime::kPacking] = *std::move(validate);
  if (!recipe.living) return data;
  auto train_living = ReadLiving(lists, recipe.living->pods, recipe.living->train, threads);
  if (!train_living.ok()) return train_living.status();
  auto validate_living = ReadLiving(lists, recipe.living->pods, recipe.living->validate, threads);
  if (!validate_living.ok()) return validate_living.status();
  data.train[Regime::kLiving] = *std::move(train_living);
  data.validate[Regime::kLiving] = *std::move(validate_living);
  return data;
}

Training::Training(const Recipe& recipe, const TrainingData& data, int threads)
    : recipe_(recipe), data_(data), threads_(threads) {
  for (const Regime regime : kRegimes) state_.rng[regime].seed(recipe.seed);
  state_.base = state_.best = FgdBestFitAsLearned(recipe.name);
}

Result<GenerationReport> Training::Advance() {
  const State before = state_;
  GenerationReport report{
      .regime = stage().regime, .stage = state_.stage + 1, .generation = state_.generation + 1};
  const auto advance = [&]() -> Status {
    if (!best_validation(stage().regime)) {
      if (Status valid = ValidateInto(report, state_.base); !valid.ok()) return valid;
    }
    const Result<LearnedPolicy> made = Make(report);
    if (!made.ok()) return made.status();
    report.episodes += stage().EpisodesPerGeneration();
    ++state_.generation;
    ++state_.generations_done;
    const bool last = state_.generation == stage().generations;
    if (!last && state_.generation % stage().validate_every != 0) return absl::OkStatus();
    return ValidateInto(report, *made);
  };
  if (Status advanced = advance(); !advanced.ok()) {
    state_ = before;
    return Status(advanced.code(), fmt::format("stage {}, generation {}: {}", report.stage,
                                               report.generation, std::string(advanced.message())));
  }
  GoOn();
  report.generations_done = state_.generations_done;
  return report;
}

Result<LearnedPolicy> Training::Make(GenerationReport& report) {
  if (!stage().shrink) return stage().gradient ? Descend(report) : Evolve(report);
  return Shrunk(state_.base, FgdBestFitAsLearned(recipe_.name), stage().regime, *stage().shrink);
}

Result<LearnedPolicy> Training::Evolve(GenerationReport& report) {
  Evolution evolution = StageEvolution();
  const auto points = PointsOf(evolution.Ask(state_.rng[stage().regime]));
  if (!points.ok()) return points.status();
  evolution.Tell(*points);
  report.evolution = {.mean_points = Mean(*points),
                      .best_points = std::ranges::max(*points),
                      .step = evolution.step()};
  state_.evolution = evolution.state();
  return PolicyAt(evolution.mean());
}

Result<LearnedPolicy> Training::Descend(GenerationReport& report) {
  const GradientMethod& method = *stage().gradient;
  const auto* const episodes =
      dynamic_cast<const PackingEpisodes*>(data_.train[stage().regime].get());
  BERTH_CHECK(episodes != nullptr, "only packing has gradient methods");
  if (!state_.gradient) state_.gradient = InitialPackingPpo(stage().blocks.size());
  const auto policy = std::make_shared<const LearnedPolicy>(PolicyAt(state_.gradient->parameters));
  Rng& rng = state_.rng[stage().regime];
  std::vector<PackingLesson> lessons;
  for (const Episode& episode : DrawEpisodes()) {
    lessons.push_back({episode.list, episode.order, rng()});
  }
  const PackingTeacher teacher{.policy = policy,
                               .episodes = *episodes,
                               .scales = data_.scales,
                               .blocks = stage().blocks,
                               .threads = threads_};
  const double rate = Annealed(method.rate, state_.generation, stage().generations);
  const auto learned =
      method.expert.empty()
          ? UpdatePackingPpo(teacher, lessons, PpoSettingsOf(method), rate, rng, *state_.gradient)
          : ImitateInPacking(teacher, lessons, *FindSimPolicy(method.expert), method.temperature,
                             rate, rng, *state_.gradient);
  if (!learned.ok()) return learned.status();
  report.gradient = *learned;
  return PolicyAt(state_.gradient->parameters);
}

// To the next stage, where this one is over.
void Training::GoOn() {
  if (state_.generation < stage().generations) return;
  ++state_.stage;
  state_.generation = 0;
  state_.evolution.reset();
  state_.gradient.reset();
  state_.base = state_.best;
}

Evolution Training::StageEvolution() const {
  Evolution evolution({.dimensions = stage().blocks.size() * kBlockParameters,
                       .candidates = stage().candidates,
                       .step = stage().step});
  if (state_.evolution) evolution.Restore(*state_.evolution);
  return evolution;
}

LearnedPolicy Training::PolicyAt(std::span<const double> parameters) const {
  return Moved(state_.base, stage().blocks, data_.scales, parameters);
}

size_t Training::ListNumber(const std::string& pods) const {
  const std::vector<std::string>& all = recipe_.PodsOf(stage().regime);
  return std::ranges::find(all, pods) - all.begin();
}

// The same for every candidate of a generation, so that they differ by nothing but themselves.
std::vector<Training::Episode> Training::DrawEpisodes() {
  const size_t orders = data_.train[stage().regime]->orders();
  Rng& rng = state_.rng[stage().regime];
  std::vector<Episode> episodes;
  for (const size_t drawn : DrawSome(stage().pods_at_once, stage().pods.size(), rng)) {
    const size_t list = ListNumber(stage().pods[drawn]);
    for (size_t i = 0; i < stage().orders_at_once; ++i) {
      episodes.push_back({nullptr, list, DrawBelow(rng, orders)});
    }
  }
  return episodes;
}

Result<std::vector<double>> Training::PointsOf(const std::vector<std::vector<double>>& candidates) {
  const std::vector<Episode> drawn = DrawEpisodes();
  std::vector<Episode> episodes;
  for (const std::vector<double>& parameters : candidates) {
    const auto policy = std::make_shared<const LearnedPolicy>(PolicyAt(parameters));
    for (Episode episode : drawn) {
      episode.policy = policy;
      episodes.push_back(std::move(episode));
    }
  }
  const auto points = Play(episodes, *data_.train[stage().regime]);
  if (!points.ok()) return points.status();
  std::vector<double> of_candidates;
  for (size_t i = 0; i < candidates.size(); ++i) {
    of_candidates.push_back(Mean(std::span(*points).subspan(i * drawn.size(), drawn.size())));
    if (std::isfinite(of_candidates.back())) continue;
    return absl::InternalError(fmt::format("the points of candidate {} are not finite", i + 1));
  }
  return of_candidates;
}

Status Training::ValidateInto(GenerationReport& report, const LearnedPolicy& policy) {
  Result<Validation> validation = Validate(policy);
  if (!validation.ok()) return validation.status();
  const Episodes& data = *data_.validate[stage().regime];
  report.episodes += data.lists() * data.orders();
  std::optional<Validation>& best = state_.best_validation[stage().regime];
  // What is shrunk stays so: its validation, on orders it was chosen by before, would say no.
  report.is_best =
      !best || stage().shrink || PointsToChooseBy(*validation) > PointsToChooseBy(*best);
  if (report.is_best) {
    state_.best = policy;
    best = *validation;
  }
  report.validation = *std::move(validation);
  return absl::OkStatus();
}

double Training::PointsToChooseBy(const Validation& validation) const {
  std::vector<double> points;
  for (const std::string& name : stage().choose_by) {
    points.push_back(validation.of_pods[ListNumber(name)]);
  }
  return Mean(points);
}

Result<Validation> Training::Validate(const LearnedPolicy& policy) const {
  const auto shared = std::make_shared<const LearnedPolicy>(policy);
  const Episodes& data = *data_.validate[stage().regime];
  std::vector<Episode> episodes;
  for (size_t list = 0; list < data.lists(); ++list) {
    for (size_t order = 0; order < data.orders(); ++order)
      episodes.push_back({shared, list, order});
  }
  const auto points = Play(episodes, data);
  if (!points.ok()) return points.status();
  Validation validation{.points = Mean(*points)};
  for (size_t list = 0; list < data.lists(); ++list) {
    const std::span of_list = std::span(*points).subspan(list * data.orders(), data.orders());
    validation.of_pods.push_back(Mean(of_list));
  }
  return validation;
}

Result<std::vector<double>> Training::Play(const std::vector<Episode>& episodes,
                                           const Episodes& data) const {
  return InParallel(episodes, {.threads = threads_}, [&](const Episode& episode) {
    return data.Play(episode.policy, episode.list, episode.order);
  });
}

}  // namespace berth
