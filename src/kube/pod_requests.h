#pragma once

#include <string>
#include <string_view>

#include "berth/result.h"
#include "facts/facts.h"
#include "kube/json_fields.h"

namespace berth {

// The amount of one resource as kube-scheduler counts it (see facts/facts.h). `value` is text or a
// number. Errors quote the value: it is not a quantity, it is negative, or it is a fraction of
// something that comes in whole pieces.
Result<int64_t> ReadAmount(std::string_view resource, const nlohmann::json& value);

struct PodRequests {
  ResourceFacts sum;
  // The first quantity that could not be read, with its container and resource; it counts as
  // nothing in the sum.
  std::string unreadable;
};

// What the whole pod asks for, as kube-scheduler sums it up.
// Source: PodRequests in component-helpers/resource/helpers.go of Kubernetes v1.36.3.
PodRequests SumRequests(const JsonFields& pod);

}  // namespace berth
