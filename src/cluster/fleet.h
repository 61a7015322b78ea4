#pragma once

#include "berth/node.h"
#include "berth/workload_profile.h"

namespace berth {

void AddTo(Fleet& fleet, const NodeSpec& node);

// Whether `now` is so far from `known` that what was worked out for that should be worked out anew:
// a model came or went, or a sum moved by more than a sixteenth.
bool IsFar(const Fleet& now, const Fleet& known);

}  // namespace berth
