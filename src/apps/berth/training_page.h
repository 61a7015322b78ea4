#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string_view>

#include "learn/recipe.h"

namespace berth {

// What kTrainingPage shows of a training, from its log (apps/berth/training_files.h):
//
// {"version", "name": the policy's,
//  "pods": {regime: [name of a pod list, without what all have in common]},
//  "lines": [the lines of the log as they stand]}
//
// The page draws every number that lines have, whatever the method of training logs. Lines that are
// no JSON objects, as one that is being written, are left out.
nlohmann::json TrainingPageData(const Recipe& recipe, std::string_view log);

}  // namespace berth
