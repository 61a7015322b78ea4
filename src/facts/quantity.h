#pragma once

#include <cstdint>
#include <string_view>

#include "berth/result.h"

namespace berth {

// Kubernetes resource quantities: [+-]digits[.digits] with a suffix n u m "" k M G T P E, Ki Mi Gi
// Ti Pi Ei, or an exponent e3 / E3. Source: apimachinery/pkg/api/resource/quantity.go.
// Exact whatever the length. Errors quote the text. Values beyond int64 saturate at its limits.
// Rounding goes away from zero, as Kubernetes' does.

// Thousandths, rounded up (as kube-scheduler reads CPU): "100m" -> 100, "2" -> 2000.
Result<int64_t> ParseMilli(std::string_view text);

// Whole units, rounded up (as kube-scheduler reads memory): "1Gi" -> 1073741824, "1500m" -> 2.
Result<int64_t> ParseWhole(std::string_view text);

// For extended resources: whole units >= 0, and a fraction or a sign is an error, not rounded.
Result<int64_t> ParseCount(std::string_view text);

}  // namespace berth
