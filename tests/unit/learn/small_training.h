#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "learn/recipe.h"
#include "learn/training.h"
#include "sim/mix_trace.h"
#include "sim/openb_suite.h"

namespace berth {

// A training that takes moments: eight nodes of three shapes, two mixes, a few orders.

inline std::vector<NodeSpec> FewNodes() {
  std::vector<NodeSpec> nodes;
  const auto add = [&](int count, int gpus, int cores, const char* model) {
    for (int i = 0; i < count; ++i) {
      nodes.push_back({.name = NodeName("node-" + std::to_string(nodes.size())),
                       .cpu = MilliCpu(1000 * cores),
                       .memory = MiB(1'000'000),
                       .gpus = gpus,
                       .model = GpuModel(model),
                       .accounting = GpuAccounting::kManaged});
    }
  };
  add(4, 8, 96, "G2");
  add(2, 2, 64, "T4");
  add(2, 4, 40, "V100");
  return nodes;
}

inline WorkloadProfilePtr FewClasses(std::string version, int64_t shares) {
  const std::vector<ClassCount> classes = {
      {{.cpu = MilliCpu(4'000), .per_gpu = MilliGpu(300), .gpus = 1, .models = {}}, shares},
      {{.cpu = MilliCpu(6'000), .per_gpu = MilliGpu(700), .gpus = 1, .models = {}}, shares / 2},
      {{.cpu = MilliCpu(8'000), .per_gpu = kWholeGpu, .gpus = 1, .models = {}}, 20},
      {{.cpu = MilliCpu(16'000), .per_gpu = kWholeGpu, .gpus = 4, .models = {}}, 3},
      {{.cpu = MilliCpu(4'000), .per_gpu = {}, .gpus = 0, .models = {}}, 12}};
  return std::make_shared<const WorkloadProfile>(std::move(version), classes);
}

inline std::vector<SeededTrace> FewTraces(std::span<const uint64_t> seeds) {
  std::vector<SeededTrace> traces;
  traces.push_back(DrawOrders("few", MixTrace(FewNodes(), FewClasses("few", 10)).value(), seeds));
  traces.push_back(DrawOrders("many", MixTrace(FewNodes(), FewClasses("many", 60)).value(), seeds));
  return traces;
}

inline constexpr std::string_view kSmallRecipe = R"({
  "name": "small", "seed": 3, "nodes": "nodes.csv", "pods": ["few", "many"],
  "train": {"seeds": [1, 3], "loads": [50, 80], "margin": 0.02, "loss_weight": 1},
  "validate": {"seeds": [11, 12], "loads": [50, 80, 130], "margin": 0.02, "loss_weight": 1},
  "stages": [
    {"evolve": ["common"], "generations": 3, "candidates": 4, "step": 0.02, "pods_at_once": 1,
     "orders_at_once": 2, "validate_every": 2},
    {"evolve": ["mix_shares", "mix_constrained"], "pods": ["many"], "generations": 2,
     "candidates": 6, "step": 0.01, "pods_at_once": 1, "orders_at_once": 1, "validate_every": 1}]
})";

inline Recipe SmallRecipe() { return ParseRecipe(kSmallRecipe, "small.json").value(); }

inline TrainingData SmallData(const Recipe& recipe) {
  const auto episodes = [](const RecipeOrders& orders) {
    return MakePackingEpisodes(FewTraces(orders.Seeds()), orders.judgement, 1).value();
  };
  TrainingData data{episodes(recipe.train), episodes(recipe.validate), {}};
  data.scales = MeasureScales(data.train).value();
  return data;
}

}  // namespace berth
