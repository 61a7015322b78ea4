#include "policy/row_scorer.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "policy/linear.h"
#include "support/small_case.h"
#include "support/views.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::FloatEq;
using ::testing::Pointwise;

using Evaluation =
    std::function<Status(std::span<const float>, std::span<const float>, std::span<float>)>;

class FakeModel final : public RowModel {
 public:
  explicit FakeModel(Evaluation evaluation) : evaluation_(std::move(evaluation)) {}

  Status Evaluate(std::span<const float> rows, std::span<const float> context,
                  std::span<float> scores) const override {
    return evaluation_(rows, context, scores);
  }

 private:
  Evaluation evaluation_;
};

ScorerPtr WithModel(Evaluation evaluation) {
  auto schema = FeatureSchema::Make({"whole_gpus_after", "cpu_free_after"}, {"gpu_load"}).value();
  return MakeRowScorer("fake", std::move(schema), std::make_unique<FakeModel>(evaluation));
}

class RowScorerTest : public ::testing::Test {
 protected:
  RowScorerTest() {
    Node narrow = SmallNode("c");
    narrow.free.gpus[1] = MilliGpu(0);
    narrow.free.cpu = MilliCpu(10'000);
    cluster_ =
        ViewOf({SmallNode("a"), SmallNode("b"), narrow}, SmallProfile(), {.gpu_load_bucket = 8});
    candidates_ = AllNodes(*cluster_);
  }

  ScoreRequest Request() const { return {cluster_, share_, candidates_}; }

  const Demand share_ = SmallShare();
  ClusterViewPtr cluster_;
  std::vector<const Node*> candidates_;
};

TEST_F(RowScorerTest, AsksOnceForEachDistinctPlacement) {
  int calls = 0;
  const ScorerPtr scorer = WithModel([&](auto rows, auto context, auto scores) {
    ++calls;
    // a and b are equal, with a way to break the idle GPU and one to fill up the half-used one;
    // c has the latter only.
    EXPECT_THAT(rows, ElementsAre(0, 12, 1, 12, 0, 6));
    EXPECT_THAT(context, ElementsAre(0.5f));
    const float answers[] = {3, 5, 4};
    std::ranges::copy(answers, scores.begin());
    return absl::OkStatus();
  });
  std::vector<float> scores(3);
  ASSERT_EQ(scorer->Score(Request(), scores).value(), Answer("fake"));
  EXPECT_THAT(scores, ElementsAre(5, 5, 4)) << "a node is as good as its best placement";
  EXPECT_EQ(calls, 1);
}

TEST_F(RowScorerTest, DoesNotAskAboutNothing) {
  const ScorerPtr scorer =
      WithModel([](auto, auto, auto) { return absl::InternalError("asked about nothing"); });
  candidates_.clear();
  EXPECT_TRUE(scorer->Score(Request(), {}).ok());
}

TEST_F(RowScorerTest, ShowsWhenAnyRowOfANodeIsNotFinite) {
  const ScorerPtr scorer = WithModel([](auto, auto, auto scores) {
    scores[0] = std::nanf("");
    scores[1] = 5;
    scores[2] = 4;
    return absl::OkStatus();
  });
  std::vector<float> scores(3);
  ASSERT_TRUE(scorer->Score(Request(), scores).ok());
  EXPECT_TRUE(std::isnan(scores[0]));
  EXPECT_TRUE(std::isnan(scores[1]));
  EXPECT_EQ(scores[2], 4);
}

TEST_F(RowScorerTest, PassesTheModelsErrorOn) {
  const ScorerPtr scorer =
      WithModel([](auto, auto, auto) { return absl::InternalError("out of order"); });
  std::vector<float> scores(3);
  EXPECT_EQ(scorer->Score(Request(), scores).status(), absl::InternalError("out of order"));
}

TEST_F(RowScorerTest, ChoosesTheGpuOfTheBestRow) {
  struct Case {
    const char* what;
    float break_idle, fill_up;
    uint8_t want;
  };
  const Case cases[] = {
      {"the better one", 1, 2, 2},
      {"the better one", 2, 1, 1},
      {"the lower index of equal ones", 1, 1, 1},
      {"the lower index within the grid", 1, 1.0004f, 1},
      {"best fit, since the model fails", std::nanf(""), 1, 2},
  };
  for (const Case& c : cases) {
    const ScorerPtr scorer = WithModel([&](auto, auto context, auto scores) {
      EXPECT_THAT(context, ElementsAre(0)) << "no cluster is known here";
      scores[0] = c.break_idle;
      scores[1] = c.fill_up;
      return absl::OkStatus();
    });
    EXPECT_THAT(scorer->ChooseGpus(SmallNode(), share_, *SmallProfile()), ElementsAre(c.want))
        << c.what;
  }
  const ScorerPtr broken = WithModel([](auto, auto, auto) { return absl::InternalError("no"); });
  EXPECT_THAT(broken->ChooseGpus(SmallNode(), share_, *SmallProfile()), ElementsAre(2));
}

TEST_F(RowScorerTest, LinearPoliciesSumUpWeightedColumns) {
  const ScorerPtr scorer = MakeLinearScorer(
      {.name = "sum", .terms = {{"cpu_free_after", 0.5}, {"whole_gpus_after", -100}}});
  std::vector<float> scores(3);
  ASSERT_EQ(scorer->Score(Request(), scores).value(), Answer("sum"));
  // The best rows break the idle GPU of a and b: 12 / 2; c has none: 6 / 2.
  EXPECT_THAT(scores, Pointwise(FloatEq(), {6, 6, 3}));
  EXPECT_THAT(scorer->ChooseGpus(SmallNode(), share_, *SmallProfile()), ElementsAre(1));
}

}  // namespace
}  // namespace berth
