#include "policy/heuristics.h"

#include "policy_conformance.h"

namespace berth {
namespace {

// Every heuristic there is.
std::vector<PolicyCase> Heuristics() {
  std::vector<PolicyCase> cases;
  for (std::string_view name : HeuristicNames()) {
    std::string letters(name);
    std::erase(letters, '-');
    cases.push_back({letters, [name](Surroundings&) { return MakeHeuristic(name).value(); }});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Heuristics, PolicyConformance, testing::ValuesIn(Heuristics()), CaseName);

}  // namespace
}  // namespace berth
