#include "apps/berth/replay_report.h"

#include <fmt/format.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "apps/berth/decision_report.h"
#include "apps/berth/mean_and_error.h"

namespace berth {
namespace {

constexpr std::array<std::string_view, kPodKinds> kKindNames = {
    "no GPU", "less than half a GPU", "half a GPU or more", "one GPU", "several GPUs"};

// A line of the report.
struct KindLine {
  std::string_view name;
  int64_t decisions = 0;
  int64_t differ = 0;
  MeanAndError more_fragmentation;
};

KindLine LineOf(std::string_view name, const DecisionReplay::Kind& kind) {
  return {name, kind.decisions, kind.differ, MeanOf(kind.more_fragmentation)};
}

// One for each kind there is, and one for all.
std::vector<KindLine> LinesOf(const DecisionReplay& replay) {
  std::vector<KindLine> lines;
  DecisionReplay::Kind all;
  for (const auto& [kind, numbers] : replay.kinds) {
    lines.push_back(LineOf(kKindNames.at(static_cast<size_t>(kind)), numbers));
    all.decisions += numbers.decisions;
    all.differ += numbers.differ;
    all.more_fragmentation.insert(all.more_fragmentation.end(), numbers.more_fragmentation.begin(),
                                  numbers.more_fragmentation.end());
  }
  if (!lines.empty()) lines.push_back(LineOf("all", all));
  return lines;
}

std::string Notes(const DecisionReplay& replay, std::string_view policy) {
  std::string text;
  if (replay.without_node > 0) {
    text += fmt::format("{} more found no node that could take the pod.\n", replay.without_node);
  }
  if (replay.cut > 0) {
    text += fmt::format("Of {} the log has only the best {} kinds of nodes; {} saw no others.\n",
                        replay.cut, DecisionRecord::kMaxClasses, policy);
  }
  if (replay.guarded > 0) {
    text +=
        fmt::format("{} were answered by another policy than the one in charge.\n", replay.guarded);
  }
  return text;
}

}  // namespace

std::string ReplayText(const DecisionReplay& replay, std::string_view policy) {
  const std::vector<KindLine> lines = LinesOf(replay);
  if (lines.empty()) return "no decision to replay\n" + Notes(replay, policy);
  std::string text = fmt::format("{} decisions from {} to {}, made by", lines.back().decisions,
                                 DateText(replay.first), DateText(replay.last));
  for (const auto& [made_by, count] : replay.policies) {
    text += fmt::format(" {} ({})", made_by, count);
  }
  text += fmt::format(", and what {} would have done\n\n", policy);
  text += fmt::format("{:<20}  {:>9}  {:>15}  {}\n", "PODS", "DECISIONS", "OTHER NODES",
                      "MORE FRAGMENTATION, GPUS PER DECISION");
  for (const KindLine& line : lines) {
    const double percent = 100.0 * static_cast<double>(line.differ) / line.decisions;
    text += fmt::format("{:<20}  {:>9}  {:>7} {:>6.1f}%  {:+.5f} +- {:.5f}\n", line.name,
                        line.decisions, line.differ, percent, line.more_fragmentation.mean / 1000,
                        line.more_fragmentation.standard_error / 1000);
  }
  const std::string notes = Notes(replay, policy);
  return text + (notes.empty() ? "" : "\n" + notes);
}

nlohmann::json ReplayJson(const DecisionReplay& replay, std::string_view policy) {
  nlohmann::json kinds = nlohmann::json::array();
  for (const KindLine& line : LinesOf(replay)) {
    kinds.push_back({{"pods", line.name},
                     {"decisions", line.decisions},
                     {"differ", line.differ},
                     {"moreFragmentationGpuMilli", line.more_fragmentation.mean},
                     {"standardError", line.more_fragmentation.standard_error}});
  }
  return {{"policy", policy},  {"madeBy", replay.policies}, {"withoutNode", replay.without_node},
          {"cut", replay.cut}, {"guarded", replay.guarded}, {"kinds", std::move(kinds)}};
}

}  // namespace berth
