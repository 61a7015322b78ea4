#pragma once

#include <optional>
#include <string>
#include <vector>

#include "decisions/placed_choice.h"

namespace berth {

// What can be said about a logged decision, in numbers and in plain words.
struct ExplainedDecision {
  PlacedChoice choice;
  FreeState after;  // of the chosen node, with the pod there

  // The best class other than the choice's; nullopt: the choice was the only one.
  struct RunnerUp {
    double added_fragmentation = 0;    // if the pod had gone there, on the GPUs that best-fit takes
    std::vector<std::string> lacking;  // against the choice; never empty
  };
  std::optional<RunnerUp> runner_up;

  PlacedChoice heuristic;  // what the heuristic would have done
};

// REQUIRES: there are classes. Errors: the heuristic's.
Result<ExplainedDecision> ExplainDecision(const DecisionRecord& record, const Scorer& heuristic);

}  // namespace berth
