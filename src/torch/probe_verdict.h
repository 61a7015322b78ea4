#pragma once

#include <string>

#include "base/limited_child.h"
#include "berth/result.h"
#include "torch/policy_probe.h"

namespace berth {

// How the child process that probes a policy tells its parent what it found.

// One line of JSON: {"ok": true, "forward_us": 910} or {"ok": false, "reason": "..."}.
std::string WriteVerdict(const Result<ProbeReport>& verdict);

// The verdict of a child that came to this end, whichever that was: what it wrote, or what its end
// says about the policy.
// Errors: FAILED_PRECONDITION when the policy is to blame, UNAVAILABLE when the machine may be; one
// sentence that says what is wrong and how to mend it.
Result<ProbeReport> VerdictOf(const ChildEnd& end, const ChildLimits& limits);

}  // namespace berth
