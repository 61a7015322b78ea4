#pragma once

#include "berth/result.h"
#include "facts/facts.h"
#include "facts/limits.h"
#include "rpc/convert.h"

namespace berth {

// The pod that a request speaks of in its field `pod`.
// Errors: INVALID_ARGUMENT that names the field.
template <class Request>
Result<PodFacts> AskedPod(const Request& request) {
  if (!request.has_pod()) return absl::InvalidArgumentError("pod: is required");
  PodFacts pod = FromProto(request.pod());
  if (Status status = CheckLimits(pod); !status.ok()) return status;
  return pod;
}

// Likewise, of a pod that is to be placed, which has a UID.
template <class Request>
Result<PodFacts> PodToPlace(const Request& request) {
  Result<PodFacts> pod = AskedPod(request);
  if (pod.ok() && pod->uid.empty()) return absl::InvalidArgumentError("pod.uid: is required");
  return pod;
}

}  // namespace berth
