#pragma once

#include "berth/result.h"
#include "facts/facts.h"

namespace berth {

// Whether facts are no larger than those of any object that Kubernetes takes: names of at most 253
// bytes, annotations of at most 256 KiB together (Kubernetes' own limits), and of labels and of
// resources no more than 1,000, with at most 256 KiB.
// Errors: INVALID_ARGUMENT that names the field, its size and what it may be.
Status CheckLimits(const NodeFacts& node);
Status CheckLimits(const PodFacts& pod);

}  // namespace berth
