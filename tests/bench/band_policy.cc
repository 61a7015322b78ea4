#include "bench/band_policy.h"

#include <absl/strings/str_cat.h>
#include <torch/types.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>

#include "support/torch_policies.h"
#include "torch/manifest.h"

namespace berth {
namespace {

constexpr int64_t kHidden = 32;

PolicyManifest ManifestOfBerth() {
  std::ifstream file(BERTH_SOURCE_DIR "/policies/berth/manifest.json");
  return ParseManifest(std::string(std::istreambuf_iterator<char>(file), {})).value();
}

}  // namespace

void WriteBandPolicy(const std::filesystem::path& directory, const BandPolicy& policy) {
  const PolicyManifest berth = ManifestOfBerth();
  const auto columns = static_cast<int64_t>(berth.columns.size());
  const torch::Tensor weights = torch::linspace(-0.3, 0.3, columns * kHidden);
  const std::string module = ModuleBytes(
      absl::StrCat("def forward(self, candidates: Tensor, context: Tensor) -> Tensor:\n",
                   "    return candidates.matmul(self.weights).tanh().mean(1) * 0.9 + ",
                   policy.center, ".0\n"),
      weights.reshape({columns, kHidden}));
  PolicyManifest manifest = ManifestFor(module, berth.columns, berth.context_columns);
  manifest.name = policy.name;
  manifest.version = policy.version;
  WritePolicy(directory, manifest, module);
}

bool IsNamed(const v1::ScoreResponse& answer, const BandPolicy& policy) {
  return answer.policy() == policy.name && answer.policy_version() == policy.version;
}

bool IsScored(const v1::ScoreResponse& answer, const BandPolicy& policy) {
  return std::ranges::all_of(answer.scores(), [&](float score) {
    return std::abs(score - static_cast<float>(policy.center)) < 1;
  });
}

}  // namespace berth
