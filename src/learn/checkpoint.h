#pragma once

#include <string>
#include <string_view>

#include "berth/result.h"
#include "learn/training.h"

namespace berth {

// The state of a training as bytes, exact to the last digit, and back. `recipe` is the recipe's
// text: a checkpoint of another recipe is refused, since it would go on to something that neither
// makes.
std::string WriteCheckpoint(const Training::State& state, std::string_view recipe);

// Errors: INVALID_ARGUMENT that says what is wrong, FAILED_PRECONDITION for another recipe.
Result<Training::State> ReadCheckpoint(std::string_view bytes, std::string_view recipe);

}  // namespace berth
