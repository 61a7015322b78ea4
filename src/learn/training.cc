#include "learn/training.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "sim/draw.h"
#include "sim/in_parallel.h"
#include "sim/openb_suite.h"

namespace berth {
namespace {

Result<std::vector<PackingEpisodes>> ReadEpisodes(const Recipe& recipe, const RecipeOrders& orders,
                                                  const std::filesystem::path& directory,
                                                  int threads) {
  std::vector<std::string> pods;
  for (const std::string& name : recipe.pods) pods.push_back((directory / name).string());
  auto traces = DrawTraces(directory / recipe.nodes, pods, orders.Seeds(), nullptr);
  if (!traces.ok()) return traces.status();
  return MakePackingEpisodes(*std::move(traces), orders.judgement, threads);
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

}  // namespace

Result<TrainingData> PrepareTraining(const Recipe& recipe, const std::filesystem::path& directory,
                                     int threads) {
  auto train = ReadEpisodes(recipe, recipe.train, directory, threads);
  if (!train.ok()) return train.status();
  auto validate = ReadEpisodes(recipe, recipe.validate, directory, threads);
  if (!validate.ok()) return validate.status();
  const auto scales = MeasureScales(*train);
  if (!scales.ok()) return scales.status();
  return TrainingData{*std::move(train), *std::move(validate), *scales};
}

Training::Training(const Recipe& recipe, const TrainingData& data, int threads)
    : recipe_(recipe), data_(data), threads_(threads) {
  state_.rng.seed(recipe.seed);
  state_.base = state_.best = FgdBestFitAsLearned(recipe.name);
}

Result<GenerationReport> Training::Advance() {
  const State before = state_;
  GenerationReport report{.stage = state_.stage + 1, .generation = state_.generation + 1};
  const auto advance = [&]() -> Status {
    if (!state_.best_validation) {
      if (Status valid = ValidateInto(report, state_.base); !valid.ok()) return valid;
    }
    Evolution evolution = StageEvolution();
    const auto points = PointsOf(evolution.Ask(state_.rng));
    if (!points.ok()) return points.status();
    evolution.Tell(*points);
    report.episodes += points->size() * stage().pods_at_once * stage().orders_at_once;
    report.mean_points = Mean(*points);
    report.best_points = std::ranges::max(*points);
    report.step = evolution.step();
    state_.evolution = evolution.state();
    ++state_.generation;
    ++state_.generations_done;
    const bool last = state_.generation == stage().generations;
    if (!last && state_.generation % stage().validate_every != 0) return absl::OkStatus();
    return ValidateInto(report, PolicyAt(evolution.mean()));
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

// To the next stage, where this one is over.
void Training::GoOn() {
  if (state_.generation < stage().generations) return;
  ++state_.stage;
  state_.generation = 0;
  state_.evolution.reset();
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

// The same for every candidate of a generation, so that they differ by nothing but themselves.
std::vector<Training::Episode> Training::DrawEpisodes() {
  std::vector<Episode> episodes;
  for (const size_t drawn : DrawSome(stage().pods_at_once, stage().pods.size(), state_.rng)) {
    const size_t pods = std::ranges::find(recipe_.pods, stage().pods[drawn]) - recipe_.pods.begin();
    const size_t orders = data_.train[pods].fgd.size();
    for (size_t i = 0; i < stage().orders_at_once; ++i) {
      episodes.push_back({nullptr, pods, DrawBelow(state_.rng, orders)});
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
  const auto points = Play(episodes, data_.train, recipe_.train.judgement);
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
  for (const PackingEpisodes& episodes : data_.validate) report.episodes += episodes.fgd.size();
  report.is_best = !state_.best_validation || validation->points > state_.best_validation->points;
  if (report.is_best) {
    state_.best = policy;
    state_.best_validation = *validation;
  }
  report.validation = *std::move(validation);
  return absl::OkStatus();
}

Result<Validation> Training::Validate(const LearnedPolicy& policy) const {
  const auto shared = std::make_shared<const LearnedPolicy>(policy);
  std::vector<Episode> episodes;
  for (size_t pods = 0; pods < data_.validate.size(); ++pods) {
    const size_t orders = data_.validate[pods].fgd.size();
    for (size_t order = 0; order < orders; ++order) episodes.push_back({shared, pods, order});
  }
  const auto points = Play(episodes, data_.validate, recipe_.validate.judgement);
  if (!points.ok()) return points.status();
  Validation validation{.points = Mean(*points)};
  size_t begin = 0;
  for (const PackingEpisodes& of_pods : data_.validate) {
    validation.of_pods.push_back(Mean(std::span(*points).subspan(begin, of_pods.fgd.size())));
    begin += of_pods.fgd.size();
  }
  return validation;
}

Result<std::vector<double>> Training::Play(const std::vector<Episode>& episodes,
                                           const std::vector<PackingEpisodes>& data,
                                           const PackingJudgement& judgement) const {
  return InParallel(episodes, {.threads = threads_}, [&](const Episode& episode) {
    return PlayPacking(episode.policy, data[episode.pods], episode.order, judgement);
  });
}

}  // namespace berth
