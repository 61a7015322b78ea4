#include "apps/berth/explain_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "apps/berth/resource_text.h"

namespace berth {
namespace {

constexpr size_t kMaxRows = 20;

constexpr char kNotLookedAt[] =
    "Berth looks at GPUs, CPU and memory; taints, affinity, volumes and other resources, such as "
    "huge pages, are for kube-scheduler to check.\n";

struct Row {
  std::string rank, node, score, gpus, note;
};

Row RowOf(size_t rank, const NodeVerdict& verdict) {
  Row row{.rank = "-",
          .node = verdict.node.value(),
          .score = "-",
          .gpus = "-",
          .note = verdict.feasible ? FreeText(verdict.free, verdict.model) : verdict.reason};
  if (verdict.feasible) {
    row.rank = std::to_string(rank);
    row.score = fmt::format("{:.3f}", verdict.score);
  }
  if (!verdict.gpus.empty()) row.gpus = fmt::format("{}", fmt::join(verdict.gpus, ","));
  if (verdict.cordoned) row.note += "; cordoned or not ready, so kube-scheduler leaves it out";
  return row;
}

std::string TableText(const std::vector<Row>& rows) {
  Row width;
  const auto widen = [](std::string& column, const std::string& cell) {
    if (cell.size() > column.size()) column = cell;
  };
  for (const Row& row : rows) {
    widen(width.rank, row.rank);
    widen(width.node, row.node);
    widen(width.score, row.score);
    widen(width.gpus, row.gpus);
  }
  std::string text;
  for (const Row& row : rows) {
    text += fmt::format("{:<{}}  {:<{}}  {:>{}}  {:<{}}  {}\n", row.rank, width.rank.size(),
                        row.node, width.node.size(), row.score, width.score.size(), row.gpus,
                        width.gpus.size(), row.note);
  }
  return text;
}

// "  812 nodes: no single GPU has the free share asked for", most frequent first.
std::string RefusalCounts(const Explanation& explanation) {
  std::map<std::string, size_t> counts;
  for (const NodeVerdict& verdict : explanation.nodes) {
    if (!verdict.feasible) ++counts[verdict.reason];
  }
  std::vector<std::pair<std::string, size_t>> sorted(counts.begin(), counts.end());
  std::ranges::stable_sort(sorted, std::greater(), [](const auto& entry) { return entry.second; });
  std::string text;
  for (const auto& [reason, count] : sorted) {
    text += fmt::format("  {} node{}: {}\n", count, count == 1 ? "" : "s", reason);
  }
  return text;
}

std::string Summary(const Explanation& explanation) {
  const size_t feasible = std::ranges::count_if(explanation.nodes, &NodeVerdict::feasible);
  const size_t cordoned = std::ranges::count_if(explanation.nodes, [](const NodeVerdict& verdict) {
    return verdict.feasible && verdict.cordoned;
  });
  std::string text =
      fmt::format("\n{} of {} nodes can take the pod", feasible, explanation.nodes.size());
  if (cordoned > 0) text += fmt::format(" ({} of them cordoned or not ready)", cordoned);
  if (!explanation.policy.empty()) text += fmt::format(", ranked by {}", explanation.policy);
  return text;
}

}  // namespace

std::string ExplainTable(const PodFacts& pod, const Explanation& explanation) {
  std::string text = fmt::format("pod {}/{} asks for {}\n", pod.namespace_name, pod.name,
                                 DemandText(explanation.demand));
  if (!explanation.demand.invalid.empty()) {
    text += fmt::format("which no node can give: {}\n", explanation.demand.invalid);
  }
  if (!explanation.ignored_wish.empty()) {
    text += fmt::format("passed over: {}\n", explanation.ignored_wish);
  }
  std::vector<Row> rows = {{.rank = "RANK",
                            .node = "NODE",
                            .score = "SCORE",
                            .gpus = "GPUS",
                            .note = "FREE, OR WHY NOT"}};
  for (size_t i = 0; i < std::min(kMaxRows, explanation.nodes.size()); ++i) {
    rows.push_back(RowOf(i + 1, explanation.nodes[i]));
  }
  if (rows.size() > 1) text += "\n" + TableText(rows);
  if (explanation.nodes.size() > kMaxRows) {
    text += fmt::format("... and {} more\n", explanation.nodes.size() - kMaxRows);
  }

  text += Summary(explanation);
  const std::string refusals = RefusalCounts(explanation);
  return text + (refusals.empty() ? "\n" : "; refused:\n" + refusals) + kNotLookedAt;
}

nlohmann::json ExplainJson(const Explanation& explanation) {
  const Demand& demand = explanation.demand;
  nlohmann::json nodes = nlohmann::json::array();
  for (const NodeVerdict& verdict : explanation.nodes) {
    nlohmann::json node = {{"node", verdict.node.value()},
                           {"known", verdict.known},
                           {"feasible", verdict.feasible},
                           {"cordoned", verdict.cordoned},
                           {"reason", verdict.reason},
                           {"gpus", std::vector<int>(verdict.gpus.begin(), verdict.gpus.end())},
                           {"freeCpuMilli", verdict.free.cpu.value()},
                           {"freeMemoryMiB", verdict.free.memory.value()},
                           {"freeGpuMilli", nlohmann::json::array()},
                           {"model", verdict.model.value()}};
    if (verdict.feasible) node["score"] = verdict.score;
    for (const MilliGpu milli : verdict.free.gpus) node["freeGpuMilli"].push_back(milli.value());
    nodes.push_back(std::move(node));
  }
  return {{"demand",
           {{"cpuMilli", demand.cpu.value()},
            {"memoryMiB", demand.memory.value()},
            {"gpus", demand.gpus},
            {"milliPerGpu", demand.per_gpu.value()},
            {"managed", demand.accounting == GpuAccounting::kManaged},
            {"models", demand.models.alternatives()},
            {"invalid", demand.invalid}}},
          {"ignoredWish", explanation.ignored_wish},
          {"policy", explanation.policy},
          {"clusterVersion", explanation.cluster_version},
          {"nodes", std::move(nodes)}};
}

}  // namespace berth
