#include "support/torch_policies.h"

#include <filesystem>

#include "berth/features.h"
#include "policy/deadline.h"
#include "policy/fallback.h"
#include "policy/heuristics.h"
#include "policy_conformance.h"
#include "support/temp_directory.h"
#include "torch/torch_scorer.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

// Every policy in policies/.
std::vector<PolicyCase> ShippedPolicies() {
  std::vector<PolicyCase> cases;
  for (const auto& entry : fs::directory_iterator(BERTH_SOURCE_DIR "/policies")) {
    if (!fs::exists(entry.path() / "manifest.json")) continue;
    std::string letters = entry.path().filename();
    std::erase(letters, '-');
    cases.push_back({letters, [directory = entry.path()](Surroundings& s) {
                       return LoadTorchPolicy(directory, s.log).value();
                     }});
  }
  return cases;
}

// A network with random weights over every column and the context.
ScorerPtr RandomNetwork(Surroundings& s) {
  std::vector<std::string> columns, context;
  for (const FeatureColumn& column : PlacementColumns()) columns.emplace_back(column.name);
  for (const FeatureColumn& column : ContextColumns()) context.emplace_back(column.name);
  Rng rng(1);
  const std::string bytes = NetworkBytes(rng, columns.size(), context.size());
  const TempDirectory directory;
  WritePolicy(directory.path(), ManifestFor(bytes, columns, context), bytes);
  return LoadTorchPolicy(directory.path(), s.log).value();
}

// As the service runs a policy.
ScorerPtr ServedNetwork(Surroundings& s) {
  return MakeFallbackScorer(
      MakeDeadlineScorer(RandomNetwork(s), {std::chrono::hours(1), 4, 4}, s.clock, s.metrics),
      MakeFgdBestFit(), s.metrics, s.log);
}

INSTANTIATE_TEST_SUITE_P(Shipped, PolicyConformance, testing::ValuesIn(ShippedPolicies()),
                         CaseName);
INSTANTIATE_TEST_SUITE_P(MadeUp, PolicyConformance,
                         testing::Values(PolicyCase{"RandomNetwork", RandomNetwork},
                                         PolicyCase{"ServedNetwork", ServedNetwork}),
                         CaseName);

}  // namespace
}  // namespace berth
