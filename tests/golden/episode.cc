#include "golden/episode.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <map>
#include <optional>
#include <vector>

#include "sim/openb_lists.h"
#include "sim/placer.h"
#include "sim/sim_cluster.h"

namespace berth {
namespace {

constexpr bool kPodsLeave = true;

std::vector<NodeSpec> SmallCluster() {
  const auto node = [](const char* name, int cores, int gib, int gpus, const char* model) {
    return NodeSpec{.name = NodeName(name),
                    .cpu = MilliCpu(int64_t{1000} * cores),
                    .memory = MiB(int64_t{1024} * gib),
                    .gpus = gpus,
                    .model = GpuModel(model),
                    .accounting = gpus > 0 ? GpuAccounting::kManaged : GpuAccounting::kNone};
  };
  return {node("big-1", 64, 256, 8, "G2"),   node("big-2", 64, 256, 8, "G2"),
          node("mid-1", 32, 128, 4, "V100"), node("mid-2", 32, 128, 4, "V100"),
          node("two-1", 24, 96, 2, "T4"),    node("two-2", 24, 96, 2, "T4"),
          node("plain", 32, 128, 0, "")};
}

// A pod that arrives, or the number of one that leaves.
struct Step {
  int cores = 0;
  int gpus = 0;
  int share = 1000;  // thousandths of each
  std::vector<std::string> models;
  std::optional<size_t> leaves;
};

Step Leaves(size_t pod) { return {.leaves = pod}; }

const std::vector<Step>& Steps() {
  static const std::vector<Step> kSteps = {
      {4, 1, 500}, {4, 1, 500},
      {2, 1, 300}, {8, 1},
      {16, 2},     {4, 1, 200},
      {2, 0},      {8, 4},
      {4, 1, 700}, {6, 1, 1000, {"T4"}},
      Leaves(1),   {4, 1, 500, {"T4", "V100"}},
      {32, 8},     {2, 1, 300},
      {8, 1},      Leaves(4),
      {2, 1, 100}, {16, 2, 1000, {"V100"}},
      {12, 0},     {4, 1, 500},
      Leaves(9),   Leaves(6),
      {4, 1, 900}, {8, 2},
      {4, 1, 300}, {20, 0},
      {8, 4},      {2, 1, 600},
      Leaves(13),  {32, 8},
      {4, 1, 500}, {8, 1},
      {2, 1, 300}, {4, 1, 1000, {"T4"}},
      {16, 2},
  };
  return kSteps;
}

Demand DemandOf(const Step& step) {
  Demand demand{.cpu = MilliCpu(int64_t{1000} * step.cores),
                .memory = MiB(int64_t{4096} * step.cores),
                .gpus = step.gpus};
  if (step.gpus == 0) return demand;
  demand.per_gpu = MilliGpu(step.share);
  demand.accounting = GpuAccounting::kManaged;
  demand.models = AllowedModels(step.models);
  return demand;
}

std::string NameOf(const Step& step, size_t pod) {
  std::string gpus = step.gpus == 0      ? "no GPU"
                     : step.share < 1000 ? fmt::format("0.{} GPU", step.share / 100)
                                         : fmt::format("{} GPU", step.gpus);
  for (const std::string& model : step.models) gpus += " " + model;
  return fmt::format("pod {:2}  {:2} cores, {}", pod, step.cores, gpus);
}

std::string StateOf(const Node& node) {
  std::vector<int64_t> gpus;
  for (const MilliGpu free : node.free.gpus) gpus.push_back(free.value());
  return fmt::format("{:2} cores  {}", node.free.cpu.value() / 1000, fmt::join(gpus, " "));
}

// Plays the steps and writes a line for each.
class Episode {
 public:
  explicit Episode(const SimPolicy& policy)
      : demands_(pods_.pods),
        placer_(policy, cluster_, demands_,
                MixOn(cluster_, ProfileOf(pods_.pods, "episode"), kPodsLeave), rng_) {}

  std::string Text() {
    std::string text;
    for (const Step& step : Steps()) {
      std::string line = step.leaves ? Leave(*step.leaves) : Arrive(step);
      line.erase(line.find_last_not_of(' ') + 1);
      text += line + "\n";
    }
    return text;
  }

 private:
  struct Pods {
    std::vector<TracePod> pods;
    Pods() {
      for (const Step& step : Steps()) {
        if (!step.leaves) pods.push_back({"", DemandOf(step)});
      }
    }
  };

  std::string Arrive(const Step& step) {
    const size_t pod = arrived_++;
    const auto place = placer_.TryPlace(demands_.of_pod[pod]).value();
    const std::string name = NameOf(step, pod + 1);
    if (!place) return fmt::format("{:36} -> nowhere", name);
    places_[pod + 1] = *place;
    const Node& node = cluster_.nodes()[place->node];
    return fmt::format(
        "{:36} -> {}  {:19}  left: {}", name, node.name().value(),
        place->gpus.empty() ? "" : fmt::format("GPU {}", fmt::join(place->gpus, " ")),
        StateOf(node));
  }

  std::string Leave(size_t pod) {
    const auto place = places_.find(pod);
    if (place == places_.end()) return fmt::format("pod {:2}  had no place to leave", pod);
    const auto& [node, gpus] = place->second;
    cluster_.Remove(node, pods_.pods[pod - 1].demand, gpus);
    return fmt::format("pod {:2}  leaves {:51}  left: {}", pod,
                       cluster_.nodes()[node].name().value(), StateOf(cluster_.nodes()[node]));
  }

  const Pods pods_;
  const Demands demands_;
  SimCluster cluster_{SmallCluster()};
  Rng rng_{0};  // not drawn from
  Placer placer_;
  std::map<size_t, Placer::Place> places_;  // by the pod's number
  size_t arrived_ = 0;
};

}  // namespace

std::string EpisodeText(const SimPolicy& policy) {
  std::string text = fmt::format(
      "# Thirty decisions of {} on a small cluster. \"left\" is what the node has free then: "
      "cores,\n"
      "# and thousandths of each GPU. `make golden` writes this file anew.\n",
      policy.name);
  return text + Episode(policy).Text();
}

}  // namespace berth
