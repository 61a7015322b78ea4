#pragma once

#include <absl/status/status.h>
#include <absl/status/statusor.h>

namespace berth {

// Errors from outside (input, network, files) travel as values with a message that names the
// file, line or field and what would be right. Broken invariants do not: see base/check.h.
using Status = absl::Status;

template <class T>
using Result = absl::StatusOr<T>;

}  // namespace berth
