#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "decisions/decision_replay.h"

namespace berth {

// What `policy` does on logged decisions, beside what was done: for people, a line for each kind of
// pods; for machines, the same in milli-GPU.
std::string ReplayText(const DecisionReplay& replay, std::string_view policy);
nlohmann::json ReplayJson(const DecisionReplay& replay, std::string_view policy);

}  // namespace berth
