#include "policy/heuristics.h"

#include <fmt/format.h>

#include "base/log.h"

namespace berth {
namespace {

struct Entry {
  std::string_view name;
  ScorerPtr (*make)();
};

constexpr Entry kHeuristics[] = {
    {"first-fit", MakeFirstFit}, {"best-fit", MakeBestFit}, {"bin-pack", MakeBinPack},
    {"spread", MakeSpread},      {"fgd", MakeFgd},          {"fgd-bestfit", MakeFgdBestFit},
};

}  // namespace

Result<ScorerPtr> MakeHeuristic(std::string_view name) {
  for (const Entry& entry : kHeuristics) {
    if (entry.name == name) return entry.make();
  }
  return absl::NotFoundError(fmt::format("no heuristic is called {}; there are {}", Quoted(name),
                                         fmt::join(HeuristicNames(), ", ")));
}

std::vector<std::string_view> HeuristicNames() {
  std::vector<std::string_view> names;
  for (const Entry& entry : kHeuristics) names.push_back(entry.name);
  return names;
}

}  // namespace berth
