#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include "berth/clock.h"
#include "berth/result.h"

namespace berth {

struct ProbeOptions {
  size_t columns = 0, context_columns = 0;   // of the manifest
  std::chrono::microseconds budget{20'000};  // of processor time for a forward of kMostRows
};

struct ProbeReport {
  std::chrono::microseconds forward{0};  // median of some forwards of kMostRows

  bool operator==(const ProbeReport&) const = default;
};

// What a forward is measured with: the nodes of a large cluster.
inline constexpr size_t kMostRows = 5000;

// Everything that is to be known about a policy.pt before it serves: what its code would do
// (torch/module_source.h, torch/module_rules.h), whether it keeps the contract with 1, 7, 500 and
// kMostRows rows (torch/policy_contract.h), and how long a forward takes by `processor_time`.
//
// Runs what the file brings along, so it may crash, hang or use up the machine: call it in a child
// process (base/limited_child.h). REQUIRES: CheckArchive(bytes) (torch/archive.h) was OK.
// Errors: one sentence that says what is wrong and how to mend it; what the file is must be said in
// front of it.
Result<ProbeReport> ProbePolicy(const std::string& bytes, const ProbeOptions& options,
                                const Clock& processor_time);

}  // namespace berth
