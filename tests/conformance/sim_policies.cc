#include "policy_conformance.h"
#include "sim/sim_policy.h"

namespace berth {
namespace {

// A policy that is simulated, with the cluster that it may ask.
struct Simulated {
  explicit Simulated(const SimPolicy& policy) : scorer(policy.make(cluster)) {}

  SimCluster cluster{{}};
  ScorerPtr scorer;
};

// Everything that can be simulated. How ties are broken is not the policy's business.
std::vector<PolicyCase> SimulatedPolicies() {
  std::vector<PolicyCase> cases;
  for (const SimPolicy& policy : SimPolicies()) {
    std::string letters(policy.name);
    std::erase(letters, '-');
    cases.push_back({letters, [policy](Surroundings&) {
                       const auto simulated = std::make_shared<const Simulated>(policy);
                       return ScorerPtr(simulated, simulated->scorer.get());
                     }});
  }
  return cases;
}

INSTANTIATE_TEST_SUITE_P(Simulated, PolicyConformance, testing::ValuesIn(SimulatedPolicies()),
                         CaseName);

}  // namespace
}  // namespace berth
