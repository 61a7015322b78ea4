#include "torch/policy_probe.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

#include "support/torch_policies.h"

namespace berth {
namespace {

using ::testing::HasSubstr;

// Each look at it takes a millisecond, so that a forward seems to.
class SlowClock final : public Clock {
 public:
  TimePoint Now() const override { return now_ += std::chrono::milliseconds(1); }

 private:
  mutable TimePoint now_;
};

Result<ProbeReport> ProbeOf(const std::string& expression, ProbeOptions options = {}) {
  options.columns = 2;
  options.context_columns = 1;
  return ProbePolicy(
      ModuleBytes("def forward(self, candidates: Tensor, context: Tensor):\n    return " +
                  expression + "\n"),
      options, SlowClock());
}

TEST(ProbePolicy, ReportsHowLongAForwardTakes) {
  const auto report = ProbeOf("candidates.sum(1) + context");
  ASSERT_TRUE(report.ok()) << report.status();
  EXPECT_EQ(report->forward, std::chrono::milliseconds(1));
}

TEST(ProbePolicy, SaysWhatIsWrongInOneSentence) {
  struct Case {
    const char* expression;
    std::chrono::microseconds budget;
    const char* want;
  };
  const std::chrono::microseconds enough(1000);
  const Case cases[] = {
      {"candidates.sum(1)", std::chrono::microseconds(999),
       "forward takes 1.0 ms for 5000 rows, may take 1 ms: make the net smaller"},
      {"candidates.matmul(torch.ones([3]))", enough,
       "forward fails on 1 rows of 2 columns and a context of 1: size mismatch"},
      {"candidates", enough, "forward must return float[1], not float[1, 2]"},
      {"candidates.log().sum(1)", enough, "breaks the policy contract: a score is not finite"},
      {"torch.softmax(candidates.sum(1), 0)", enough, "the score of a row is"},
      // Right for up to 7 rows.
      {"candidates.sum(1) + float(candidates.size(0) > 100)", enough, "with 500 rows, but"},
      {"candidates.sum(1) + torch.rand([1])", enough, "uses aten::rand"},
  };
  for (const Case& c : cases) {
    const auto report = ProbeOf(c.expression, {.budget = c.budget});
    EXPECT_THAT(std::string(report.status().message()), HasSubstr(c.want)) << c.expression;
    EXPECT_EQ(report.status().message().find('\n'), absl::string_view::npos);
  }
}

}  // namespace
}  // namespace berth
