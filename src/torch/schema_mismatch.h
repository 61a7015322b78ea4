#pragma once

#include <string>
#include <string_view>

#include "berth/features.h"

namespace berth {

// What to do to the lists of names so that their hash becomes `hash`: put one name for another,
// swap two, add one or drop one. Says that it does not know when none of these does it.
std::string ExplainSchemaMismatch(const FeatureSchema& schema, std::string_view hash);

}  // namespace berth
