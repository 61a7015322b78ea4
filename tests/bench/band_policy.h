#pragma once

#include <filesystem>
#include <string>

#include "berth/v1/scoring.pb.h"

namespace berth {

// A made-up TorchScript policy whose scores lie in a band of its own, so that an answer shows whose
// scores it holds. Its columns and so the cost of a forward are those of policies/berth.
struct BandPolicy {
  std::string name;
  std::string version;
  int center = 0;  // scores are less than 1 away from it
};

// Writes policy.pt and manifest.json.
void WriteBandPolicy(const std::filesystem::path& directory, const BandPolicy& policy);

// Whether the answer names this policy.
bool IsNamed(const v1::ScoreResponse& answer, const BandPolicy& policy);
// Whether all its scores are this policy's.
bool IsScored(const v1::ScoreResponse& answer, const BandPolicy& policy);

}  // namespace berth
