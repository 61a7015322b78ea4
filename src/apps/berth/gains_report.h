#pragma once

#include <nlohmann/json_fwd.hpp>
#include <span>
#include <string>

#include "sim/evaluation.h"

namespace berth {

// For people: of each policy but FGD a table of its gains over FGD, a row per trace and a column
// per load, and one of the pods that failed beside FGD's, a column per class. Empty without FGD.
std::string GainsTables(std::span<const EvaluatedRun> runs);

// For machines, apps/berth/gains.h as it stands:
// [{"policy", "trace": name, or null for the mean over all, "load", "mean", "standard_error",
//   "above", "of"}]
nlohmann::json GainsJson(std::span<const EvaluatedRun> runs);
// [{"policy", "trace", "class", "pods" and "gpus": {"mean", "standard_error"}}]
nlohmann::json FailuresJson(std::span<const EvaluatedRun> runs);

}  // namespace berth
