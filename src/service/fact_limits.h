#pragma once

#include "berth/result.h"
#include "facts/facts.h"

namespace berth {

// Whether facts from outside can be right at all: a name or UID, and no negative quantity.
// Errors: INVALID_ARGUMENT that names the field, as in "pod.uid: is required".
Status CheckFacts(const NodeFacts& node);
Status CheckFacts(const PodFacts& pod);

// The annotations of one object may have 256 KiB in all, as in Kubernetes.
// Errors: INVALID_ARGUMENT that names the field.
Status CheckAnnotationSize(const PodFacts& pod);

}  // namespace berth
