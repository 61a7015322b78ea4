#pragma once

#include <cstddef>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "base/rng.h"
#include "berth/result.h"
#include "learn/evolution.h"
#include "learn/packing_episodes.h"
#include "learn/recipe.h"
#include "policy/learned_policy.h"

namespace berth {

// What a recipe is trained on, read and prepared.
struct TrainingData {
  std::vector<PackingEpisodes> train, validate;  // of the recipe's pods, in their order
  FeatureScales scales;
};

// Reads the lists that the recipe names below `directory` and plays FGD on every order, on so many
// threads. Errors: those of the readers.
Result<TrainingData> PrepareTraining(const Recipe& recipe, const std::filesystem::path& directory,
                                     int threads);

// How good a policy is on the validation orders, in points (PackingJudgement).
struct Validation {
  double points = 0;            // the mean over all episodes
  std::vector<double> of_pods;  // the mean over the orders of each pod list

  bool operator==(const Validation&) const = default;
};

// What happened in one generation.
struct GenerationReport {
  size_t stage = 0, generation = 0;  // counted from 1
  size_t generations_done = 0;       // in all stages
  size_t episodes = 0;               // played, validation included
  double mean_points = 0, best_points = 0, step = 0;
  std::optional<Validation> validation;  // of the new mean, where it was validated
  bool is_best = false;                  // by validation, of all so far
};

// Makes a policy by a recipe, generation by generation, from FGD + best-fit on. The same recipe and
// data give the same policy on any number of threads. Not thread-safe.
class Training {
 public:
  // All that the next generation depends on.
  struct State {
    size_t stage = 0, generation = 0;  // the next one
    size_t generations_done = 0;       // in all stages
    Rng rng;
    LearnedPolicy base;                         // what the stage starts from
    std::optional<Evolution::State> evolution;  // of the stage; none before its first generation
    LearnedPolicy best;
    std::optional<Validation> best_validation;  // none before anything was validated

    bool operator==(const State&) const = default;
  };

  // Both outlive this.
  Training(const Recipe& recipe, const TrainingData& data, int threads);

  bool done() const { return state_.stage == recipe_.stages.size(); }

  // REQUIRES: not done. Errors: INTERNAL that names stage, generation and candidate where something
  // is not finite; the state is then that before this generation.
  Result<GenerationReport> Advance();

  // The best by validation; at first the heuristic.
  const LearnedPolicy& best() const { return state_.best; }
  const std::optional<Validation>& best_validation() const { return state_.best_validation; }

  const State& state() const { return state_; }
  // REQUIRES: a state of a training by the same recipe.
  void Restore(State state) { state_ = std::move(state); }

 private:
  struct Episode {
    std::shared_ptr<const LearnedPolicy> policy;
    size_t pods;
    size_t order;
  };

  const RecipeStage& stage() const { return recipe_.stages[state_.stage]; }
  Evolution StageEvolution() const;
  LearnedPolicy PolicyAt(std::span<const double> parameters) const;
  std::vector<Episode> DrawEpisodes();
  Result<std::vector<double>> PointsOf(const std::vector<std::vector<double>>& candidates);
  Result<Validation> Validate(const LearnedPolicy& policy) const;
  Status ValidateInto(GenerationReport& report, const LearnedPolicy& policy);
  Result<std::vector<double>> Play(const std::vector<Episode>& episodes,
                                   const std::vector<PackingEpisodes>& data,
                                   const PackingJudgement& judgement) const;
  void GoOn();

  const Recipe& recipe_;
  const TrainingData& data_;
  const int threads_;
  State state_;
};

}  // namespace berth
