#pragma once

#include <gtest/gtest.h>
#include <spdlog/sinks/null_sink.h>

#include <functional>
#include <memory>
#include <ostream>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/metrics.h"
#include "berth/policy.h"
#include "support/fake_clock.h"

namespace berth {

// What policies are built with; outlives them.
struct Surroundings {
  FakeClock clock;
  Metrics metrics;
  Logger log{"test", std::make_shared<spdlog::sinks::null_sink_mt>()};
};

// One policy under test. To hold another policy to the contract, add one of these to the list in
// one of the files beside this one.
struct PolicyCase {
  std::string name;  // letters and digits: part of the test's name
  std::function<ScorerPtr(Surroundings&)> make;
};

inline std::ostream& operator<<(std::ostream& out, const PolicyCase& c) { return out << c.name; }

inline std::string CaseName(const testing::TestParamInfo<PolicyCase>& info) {
  return info.param.name;
}

// What berth/policy.h promises, for any policy. The tests are in policy_conformance.cc.
class PolicyConformance : public testing::TestWithParam<PolicyCase> {
 protected:
  // The policy's scores; fails the test unless there is a finite one for each candidate.
  std::vector<float> ScoresOf(const ClusterViewPtr& cluster, const Demand& demand,
                              const std::vector<const Node*>& candidates) const;

  Surroundings surroundings_;
  ScorerPtr policy_ = GetParam().make(surroundings_);
};

}  // namespace berth
