#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/result.h"
#include "learn/living_episodes.h"
#include "learn/packing_episodes.h"
#include "learn/regime.h"
#include "learn/weight_block.h"

namespace berth {

// Seeds from the first to the last.
struct SeedRange {
  uint64_t first = 0, last = 0;

  std::vector<uint64_t> All() const;
};

// What policies are tried on in one regime: pod lists, orders of their pods drawn from seeds, and
// how an episode is judged. Trained on some orders, and validated on others.
template <class Judgement>
struct RegimeRecipe {
  struct Orders {
    SeedRange seeds;
    Judgement judgement;
  };

  std::vector<std::string> pods;
  Orders train, validate;
};

// How a stage goes down a gradient: after an expert, or where none is named by PPO.
struct GradientMethod {
  std::string expert;      // the name of a policy (sim/sim_policy.h)
  double rate = 0;         // of Adam at first; it goes down to 0
  double temperature = 0;  // of the softmax over scores
};

// A part of a training, which starts from the best policy of the part before.
struct RecipeStage {
  Regime regime = Regime::kPacking;
  std::optional<GradientMethod> gradient;  // none, and nothing shrunk: it evolves
  std::optional<double> shrink;            // how much of what changed so far in the regime is kept
  std::vector<WeightBlock> blocks;         // what is trained, of that regime; everything else stays
  std::vector<std::string> pods;           // the lists it is trained on
  std::vector<std::string> choose_by;      // those by which its best policy is chosen
  size_t pods_at_once = 0;                 // how many of those, drawn for each generation
  size_t orders_at_once = 1;               // of each
  size_t generations = 0;                  // or updates, of a gradient method
  size_t candidates = 0;                   // evolution: of a generation
  double step = 0;                         // evolution: standard deviation of the first generation
  size_t validate_every = 10;

  size_t EpisodesPerGeneration() const;  // validation aside
};

// What makes a policy: data, seeds, stages and budgets. Budgets count generations and episodes,
// never seconds, so that a recipe gives the same policy on a slow machine.
struct Recipe {
  std::string name;     // of the policy
  std::string version;  // of the policy, for people: which recipe of that name
  uint64_t seed = 0;
  std::string nodes;  // file names, below the directory that `berth train` is given
  RegimeRecipe<PackingJudgement> packing;
  std::optional<RegimeRecipe<LivingJudgement>> living;  // none: it stays as it begins
  std::vector<RecipeStage> stages;

  // Of the regime, in the order in which they are validated. REQUIRES: the recipe has the regime.
  const std::vector<std::string>& PodsOf(Regime regime) const;
  size_t TotalGenerations() const;
};

// As JSON, with every key required but the ones that say so, and no other:
//
//   {"name": "berth", "version": "1", "seed": 1,
//    "nodes": "openb_node_list_gpu_node.csv",
//    "packing": {
//      "pods": ["openb_pod_list_default.csv", "openb_pod_list_gpuspec33.csv"],
//      "train": {"seeds": [1001, 1012], "loads": [50, 70, 90], "margin": 0.02, "loss_weight": 1},
//      "validate": {"seeds": [2001, 2006], "loads": [50, 90, 130], "margin": 0.02,
//                   "loss_weight": 1}},
//    "living": {
//      "pods": ["openb_pod_list_default.csv"],
//      "train": {"seeds": [3001, 3012], "settings": [{"queue": "fifo", "load": 0.95}],
//                "warm_up": 1, "length": 3},
//      "validate": {...}},
//    "stages": [{"regime": "packing", "evolve": ["common"], "generations": 100, "candidates": 24,
//                "step": 0.015, "pods_at_once": 8, "orders_at_once": 1, "validate_every": 10},
//               {"regime": "packing", "evolve": ["mix_constrained"],
//                "pods": ["openb_pod_list_gpuspec33.csv"], ...},
//               {"regime": "packing", "imitate": "bestfit", "blocks": ["common"], "updates": 20,
//                "rate": 0.0005, "temperature": 0.01, "pods_at_once": 1, "orders_at_once": 4,
//                "validate_every": 5},
//               {"regime": "packing", "ppo": ["common"], "updates": 40, "rate": 0.0002,
//                "temperature": 0.01, ...},
//               {"regime": "living", "evolve": ["common"], ...},
//               {"regime": "living", "shrink": 0.35}]}
//
// `evolve`, `ppo` and `blocks` name weights of the regime (learn/weight_block.h): "common" or a mix
// number; `imitate` an expert that packs. Only packing has gradient methods. `shrink` goes back to
// that share of the way from the heuristic to the best so far (Wortsman et al., "Robust fine-tuning
// of zero-shot models", 2022): what noisy episodes exaggerated goes first. `living` may be left out
// when no stage needs it, and for all of the regime `pods` of a stage and `choose_by`, the lists by
// which the best policy of the stage is chosen: leave out what a later stage makes good.
// Errors: INVALID_ARGUMENT that names the file, the field and what would be right. `file` is only
// for messages.
Result<Recipe> ParseRecipe(std::string_view json, std::string_view file);
Result<Recipe> LoadRecipe(const std::filesystem::path& path);

}  // namespace berth
