#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "decisions/decision_reader.h"
#include "decisions/explained_decision.h"

namespace berth {

// The newest logged decision about a pod, for people. `explained` is null when no node could take
// the pod; `heuristic` is the name of the policy that it is compared with.
std::string DecisionText(const PodDecisions& decisions, const ExplainedDecision* explained,
                         std::string_view heuristic);

// The same for machines, with every logged class: milli-cores, MiB and milli-GPUs, as the names of
// the fields say.
nlohmann::json DecisionJson(const PodDecisions& decisions, const ExplainedDecision* explained,
                            std::string_view heuristic);

// "2026-03-01 12:00:00 UTC"
std::string DateText(WallClock::TimePoint time);

}  // namespace berth
