#include "apps/berth/serving_policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/captured_log.h"
#include "support/fake_clock.h"
#include "support/temp_directory.h"

namespace berth {
namespace {

using ::testing::ContainsRegex;

class ServingPolicy : public ::testing::Test {
 protected:
  Result<ServedPolicy> Make(const std::string& policy, const std::string& fallback = "fgd") {
    return MakeServingPolicy(policy, {.heuristic = fallback}, probation_, clock_, metrics_,
                             log_.logger());
  }

  Result<ProbeReport> verdict_ = ProbeReport{};
  PolicyProbation probation_{[this](const PolicyFile&) { return verdict_; }};

  FakeClock clock_;
  Metrics metrics_;
  CapturedLog log_;
};

TEST_F(ServingPolicy, IsABuiltInOneByName) {
  const Result<ServedPolicy> policy = Make("best-fit");
  ASSERT_TRUE(policy.ok()) << policy.status();
  EXPECT_EQ(policy->name(), "best-fit");
}

TEST_F(ServingPolicy, IsADirectoryWithTheShippedOne) {
  const Result<ServedPolicy> policy = Make(BERTH_SOURCE_DIR "/policies/fgd-bestfit");
  ASSERT_TRUE(policy.ok()) << policy.status();
  EXPECT_EQ(policy->name(), "fgd-bestfit");
  EXPECT_THAT(metrics_.Text(), ContainsRegex("berth_policy_fallbacks_total.* 0"));
}

TEST_F(ServingPolicy, IsGuardedAsTheOptionsSay) {
  struct Case {
    std::string policy;
    GuardOptions guards;
    bool regret, ranges;
  };
  const Case cases[] = {
      {"policies/berth", {}, true, true},
      {"policies/berth", {.regret_cap = std::nullopt}, false, true},
      {"policies/berth", {.range_limit = std::nullopt}, true, false},
      {"policies/fgd-bestfit", {}, true, false},  // was not trained, so has seen nothing
      {"fgd", {}, false, false},                  // built in
  };
  for (const Case& c : cases) {
    Metrics metrics;
    const std::string policy = c.policy == "fgd" ? c.policy : BERTH_SOURCE_DIR "/" + c.policy;
    const auto made =
        MakeServingPolicy(policy, c.guards, probation_, clock_, metrics, log_.logger());
    ASSERT_TRUE(made.ok()) << made.status();
    const std::string text = metrics.Text();
    EXPECT_EQ(text.find("cause=\"regret\"") != text.npos, c.regret) << c.policy;
    EXPECT_EQ(text.find("cause=\"ranges\"") != text.npos, c.ranges) << c.policy;
  }
}

TEST_F(ServingPolicy, IsNotOneThatFailsItsProbe) {
  verdict_ = absl::FailedPreconditionError("forward has a loop");
  const std::string shipped = BERTH_SOURCE_DIR "/policies/fgd-bestfit";
  EXPECT_EQ(Make(shipped).status(),
            absl::FailedPreconditionError("--policy " + shipped + ": " + shipped +
                                          "/policy.pt: forward has a loop"));
}

TEST_F(ServingPolicy, SaysWhyItDoesNotLoad) {
  const TempDirectory empty;
  struct Case {
    std::string policy, fallback, want;
  };
  const Case cases[] = {
      {"no-such", "fgd",
       "--policy no-such is no built-in policy .*first-fit.*: not found; looked "},
      {empty.path(), "fgd", "--policy " + empty.path().string() + ": .*manifest.json"},
      {empty.path(), "no-such", "--fallback no-such: .*first-fit"},
  };
  for (const Case& c : cases) {
    EXPECT_THAT(std::string(Make(c.policy, c.fallback).status().message()), ContainsRegex(c.want));
  }
}

}  // namespace
}  // namespace berth
