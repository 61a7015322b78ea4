#pragma once

#include <chrono>
#include <span>
#include <string>

#include "berth/result.h"
#include "facts/facts.h"
#include "rpc/explanation.h"

namespace berth {

// Asks the scoring service at `target` what it thinks of a pod on the named nodes, or on every node
// when none is named. The pod needs no UID. Blocks until the answer or the timeout.
// Errors: UNAVAILABLE (service away or not synced yet), DEADLINE_EXCEEDED, INVALID_ARGUMENT; the
// message names the target.
Result<Explanation> Explain(const std::string& target, const PodFacts& pod,
                            std::span<const std::string> nodes, std::chrono::milliseconds timeout);

}  // namespace berth
