#include <random>

#include "base/rng.h"
#include "policy/learned_scorer.h"
#include "policy_conformance.h"

namespace berth {
namespace {

// Weights of no meaning: the contract holds whatever was learned.
LearnedPolicy AnyWeights() {
  Rng rng(5);
  std::normal_distribution<double> weight(0, 0.2);
  LearnedPolicy policy{.name = "learned"};
  ForEachWeight(policy, [&](double& w) { w = weight(rng); });
  return policy;
}

INSTANTIATE_TEST_SUITE_P(Learned, PolicyConformance,
                         testing::Values(PolicyCase{
                             "learned",
                             [](Surroundings&) { return MakeLearnedScorer(AnyWeights()); }}),
                         CaseName);

}  // namespace
}  // namespace berth
