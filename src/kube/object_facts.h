#pragma once

#include <nlohmann/json_fwd.hpp>

#include "berth/result.h"
#include "facts/facts.h"

namespace berth {

// Kubernetes objects (core/v1 Node and Pod as JSON) -> neutral facts.
// Errors: INVALID_ARGUMENT that names the field, for an object without a name or UID or with a
// field of the wrong type. A request that cannot be read does not fail the pod: it ends up in
// PodFacts::unreadable.
Result<NodeFacts> NodeFactsFrom(const nlohmann::json& node);

// Requests are summed as kube-scheduler does it: max(init containers, sum of containers) with
// sidecars (init containers with restartPolicy Always) running beside both, pod-level requests in
// place of the sum for cpu, memory and huge pages, plus overhead; a missing request equals its
// limit.
Result<PodFacts> PodFactsFrom(const nlohmann::json& pod);

// True for phases Succeeded and Failed: such a pod holds nothing. A pod that is being deleted
// still does.
bool HasTerminated(const nlohmann::json& pod);

}  // namespace berth
