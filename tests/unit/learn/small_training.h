#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>

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

inline std::vector<Trace> FewLivingTraces() {
  return {MixTrace(FewNodes(), FewClasses("few", 10)).value()};
}

inline constexpr std::string_view kSmallRecipe = R"({
  "name": "small", "version": "1", "seed": 3, "nodes": "nodes.csv",
  "packing": {
    "pods": ["few", "many"],
    "train": {"seeds": [1, 3], "loads": [50, 80], "margin": 0.02, "loss_weight": 1},
    "validate": {"seeds": [11, 12], "loads": [50, 80, 130], "margin": 0.02, "loss_weight": 1}},
  "living": {
    "pods": ["few"],
    "train": {"seeds": [1, 2], "settings": [{"queue": "fifo", "load": 0.9}],
              "warm_up": 1, "length": 3},
    "validate": {"seeds": [11, 11], "settings": [{"queue": "backfill", "load": 0.95}],
                 "warm_up": 1, "length": 4}},
  "stages": [
    {"regime": "packing", "evolve": ["common"], "generations": 3, "candidates": 4, "step": 0.02,
     "pods_at_once": 1, "orders_at_once": 2, "validate_every": 2},
    {"regime": "packing", "evolve": ["mix_shares", "mix_constrained"], "pods": ["many"],
     "generations": 2, "candidates": 6, "step": 0.01, "pods_at_once": 1, "orders_at_once": 1,
     "validate_every": 1},
    {"regime": "living", "evolve": ["common"], "generations": 2, "candidates": 4, "step": 0.02,
     "pods_at_once": 1, "orders_at_once": 1, "validate_every": 2},
    {"regime": "packing", "imitate": "bestfit", "blocks": ["common"], "updates": 2, "rate": 0.001,
     "temperature": 0.02, "pods_at_once": 1, "orders_at_once": 2, "validate_every": 1},
    {"regime": "packing", "ppo": ["common", "mix_shares"], "updates": 3, "rate": 0.001,
     "temperature": 0.05, "pods_at_once": 2, "orders_at_once": 1, "validate_every": 1},
    {"regime": "living", "shrink": 0.25}]
})";

inline Recipe SmallRecipe() { return ParseRecipe(kSmallRecipe, "small.json").value(); }

inline TrainingData SmallData(const Recipe& recipe) {
  const auto packing = [](const RegimeRecipe<PackingJudgement>::Orders& orders) {
    return PackingEpisodes::Make(FewTraces(orders.seeds.All()), orders.judgement, 1).value();
  };
  const auto living = [](const RegimeRecipe<LivingJudgement>::Orders& orders) {
    return LivingEpisodes::Make(FewLivingTraces(), orders.seeds.All(), orders.judgement, 1).value();
  };
  TrainingData data;
  auto train = packing(recipe.packing.train);
  data.scales = MeasureScales(*train).value();
  data.train[Regime::kPacking] = std::move(train);
  data.validate[Regime::kPacking] = packing(recipe.packing.validate);
  data.train[Regime::kLiving] = living(recipe.living->train);
  data.validate[Regime::kLiving] = living(recipe.living->validate);
  return data;
}

}  // namespace berth
