#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "berth/result.h"
#include "learn/packing_episodes.h"
#include "learn/weight_block.h"

namespace berth {

// Orders that are drawn from seeds, and how a policy is judged on them.
struct RecipeOrders {
  uint64_t first_seed = 0, last_seed = 0;
  PackingJudgement judgement;

  std::vector<uint64_t> Seeds() const;
};

// A part of a training, which starts from the best policy of the part before.
struct RecipeStage {
  std::vector<WeightBlock> blocks;  // what is trained; everything else stays
  std::vector<std::string> pods;    // the lists it is trained on
  size_t pods_at_once = 0;          // how many of those, drawn for each generation
  size_t orders_at_once = 1;        // of each
  size_t generations = 0;
  size_t candidates = 0;  // of a generation
  double step = 0;        // standard deviation of the first generation
  size_t validate_every = 10;
};

// What makes a policy: data, seeds, stages and budgets. Budgets count generations and episodes,
// never seconds, so that a recipe gives the same policy on a slow machine.
struct Recipe {
  std::string name;  // of the policy
  uint64_t seed = 0;
  std::string nodes;              // file names, below the directory that `berth train` is given
  std::vector<std::string> pods;  // validated on, all of them
  RecipeOrders train, validate;
  std::vector<RecipeStage> stages;

  size_t TotalGenerations() const;
};

// As JSON, with every key required but the ones that say so, and no other:
//
//   {"name": "berth", "seed": 1,
//    "nodes": "openb_node_list_gpu_node.csv",
//    "pods": ["openb_pod_list_default.csv", "openb_pod_list_gpuspec33.csv"],
//    "train": {"seeds": [1001, 1012], "loads": [50, 70, 90], "margin": 0.02, "loss_weight": 1},
//    "validate": {"seeds": [2001, 2006], "loads": [50, 90, 130], "margin": 0.02, "loss_weight": 1},
//    "stages": [{"evolve": ["common"], "generations": 100, "candidates": 24, "step": 0.015,
//                "pods_at_once": 8, "orders_at_once": 1, "validate_every": 10},
//               {"evolve": ["mix_constrained"], "pods": ["openb_pod_list_gpuspec33.csv"], ...}]}
//
// `evolve` names weights (learn/weight_block.h): "common" or a mix number; they are those of
// packing. `pods` of a stage may be left out for all of the recipe. Errors: INVALID_ARGUMENT that
// names the file, the field and what would be right. `file` is only for messages.
Result<Recipe> ParseRecipe(std::string_view json, std::string_view file);
Result<Recipe> LoadRecipe(const std::filesystem::path& path);

}  // namespace berth
