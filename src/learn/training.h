#pragma once

#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/rng.h"
#include "berth/result.h"
#include "learn/episodes.h"
#include "learn/evolution.h"
#include "learn/packing_ppo.h"
#include "learn/recipe.h"
#include "learn/regime.h"
#include "learn/weight_block.h"
#include "policy/learned_policy.h"

namespace berth {

// What a recipe is trained on, read and prepared.
struct TrainingData {
  PerRegime<EpisodesPtr> train, validate;  // of PodsOf() the regime; none where no recipe is
  FeatureScales scales;
};

// Reads the lists that the recipe names below `directory` and plays a heuristic in every episode,
// on so many threads. Errors: those of the readers.
Result<TrainingData> PrepareTraining(const Recipe& recipe, const std::filesystem::path& directory,
                                     int threads);

// How good a policy is on the validation orders of a regime, in points (PackingJudgement,
// LivingJudgement).
struct Validation {
  double points = 0;            // the mean over all episodes
  std::vector<double> of_pods;  // the mean over the orders of each pod list

  bool operator==(const Validation&) const = default;
};

struct EvolutionReport {
  double mean_points = 0, best_points = 0;  // of the candidates
  double step = 0;
};

// What happened in one generation, or update of a gradient method.
struct GenerationReport {
  Regime regime = Regime::kPacking;
  size_t stage = 0, generation = 0;          // counted from 1
  size_t generations_done = 0;               // in all stages
  size_t episodes = 0;                       // played, validation included
  std::optional<EvolutionReport> evolution;  // by the method of the stage
  std::optional<PackingPpoReport> gradient;
  std::optional<Validation> validation;  // of what it made, where it was validated
  bool is_best = false;  // of all so far in that regime, by what the stage chooses by; or shrunk
};

// Makes a policy by a recipe, generation by generation, from FGD + best-fit on. The same recipe and
// data give the same policy on any number of threads. Not thread-safe.
class Training {
 public:
  // All that the next generation depends on.
  struct State {
    size_t stage = 0, generation = 0;  // the next one
    size_t generations_done = 0;       // in all stages
    PerRegime<Rng> rng;  // so that stages of one regime draw the same whatever the other does
    LearnedPolicy base;  // what the stage starts from
    // Of the stage, by its method; none before its first generation.
    std::optional<Evolution::State> evolution;
    std::optional<PackingPpoState> gradient;
    LearnedPolicy best;
    PerRegime<std::optional<Validation>> best_validation;  // none before the regime's first stage

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
  const std::optional<Validation>& best_validation(Regime regime) const {
    return state_.best_validation[regime];
  }

  const State& state() const { return state_; }
  // REQUIRES: a state of a training by the same recipe.
  void Restore(State state) { state_ = std::move(state); }

 private:
  struct Episode {
    std::shared_ptr<const LearnedPolicy> policy;
    size_t list;
    size_t order;
  };

  const RecipeStage& stage() const { return recipe_.stages[state_.stage]; }
  Result<LearnedPolicy> Make(GenerationReport& report);
  Result<LearnedPolicy> Evolve(GenerationReport& report);
  Result<LearnedPolicy> Descend(GenerationReport& report);
  Evolution StageEvolution() const;
  LearnedPolicy PolicyAt(std::span<const double> parameters) const;
  size_t ListNumber(const std::string& pods) const;  // among those of the stage's regime
  std::vector<Episode> DrawEpisodes();
  Result<std::vector<double>> PointsOf(const std::vector<std::vector<double>>& candidates);
  Result<Validation> Validate(const LearnedPolicy& policy) const;
  double PointsToChooseBy(const Validation& validation) const;
  Status ValidateInto(GenerationReport& report, const LearnedPolicy& policy);
  Result<std::vector<double>> Play(const std::vector<Episode>& episodes,
                                   const Episodes& data) const;
  void GoOn();

  const Recipe& recipe_;
  const TrainingData& data_;
  const int threads_;
  State state_;
};

}  // namespace berth
