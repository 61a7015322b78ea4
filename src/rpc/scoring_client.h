#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "berth/result.h"
#include "facts/facts.h"

namespace berth {

struct RefusedCandidates {
  std::string reason;
  bool never = false;
  std::vector<uint32_t> candidates;  // positions in the names that were asked about
};

struct FilterAnswer {
  std::vector<RefusedCandidates> refused;
  std::vector<uint32_t> unknown;
};

struct ScoreAnswer {
  std::vector<uint32_t> order;  // best first; every position once
  uint32_t feasible = 0;        // how many of `order`, from the front, can take the pod
  uint32_t unknown = 0;         // how many at the end the service does not know
};

// Asks a scoring service. Blocks until the answer or the timeout. Thread-safe.
// Errors: UNAVAILABLE (service away or not synced yet), DEADLINE_EXCEEDED, INVALID_ARGUMENT;
// INTERNAL for an answer whose positions cannot be, so that those of an answer are good as indices.
class ScoringClient {
 public:
  virtual ~ScoringClient() = default;
  virtual Result<FilterAnswer> Filter(const PodFacts& pod, std::span<const std::string> nodes) = 0;
  virtual Result<ScoreAnswer> Score(const PodFacts& pod, std::span<const std::string> nodes) = 0;

  // OK when the service answers and its first epoch is complete.
  virtual Status Ready() = 0;
};

// `target` is a gRPC address such as "127.0.0.1:8790"; connects lazily and reconnects by itself.
std::unique_ptr<ScoringClient> MakeScoringClient(const std::string& target,
                                                 std::chrono::milliseconds timeout);

}  // namespace berth
