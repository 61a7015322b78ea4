#include "policy/range_guard.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "policy/fallback.h"
#include "policy/hand_over.h"
#include "policy/heuristics.h"
#include "support/captured_log.h"
#include "support/fake_scorer.h"
#include "support/small_case.h"
#include "support/views.h"

namespace berth {
namespace {

using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;

// Both policies choose "a"; before the pod comes it has 1.7 GPUs free.
class RangeGuardTest : public ::testing::Test {
 protected:
  ScorerPtr Guarded(FeatureRanges ranges, double limit = 0.2,
                    ScorerPtr policy = ConstantScorer("learned", 1)) {
    SeenInTraining seen{FeatureSchema::Make({"gpu_free_before"}, {"regime"}).value(),
                        std::move(ranges)};
    return MakeRangeGuard(std::move(policy), ConstantScorer("heuristic", 7), std::move(seen), limit,
                          metrics_, log_.logger());
  }

  Result<Answer> Score(const Scorer& scorer) {
    const Demand demand = SmallShare();
    const std::vector<const Node*> candidates = AllNodes(*cluster_);
    scores_.assign(candidates.size(), -1);
    return scorer.Score({cluster_, demand, candidates}, scores_);
  }

  // The guard of the last of so many answers.
  Guard Last(const Scorer& scorer, size_t answers) {
    for (size_t i = 1; i < answers; ++i) EXPECT_TRUE(Score(scorer).ok());
    return Score(scorer)->guard;
  }

  void SetFreeGpus(int64_t milli) {
    Node node = SmallNode("a");
    const int64_t first = std::min<int64_t>(milli, kWholeGpu.value());
    node.free.gpus = {MilliGpu(first), MilliGpu(milli - first), MilliGpu(0), MilliGpu(0)};
    cluster_ = ViewOf({node}, SmallProfile());
  }

  double AnsweredInstead() {
    return metrics_
        .AddCounter("berth_policy_fallbacks_total", "",
                    {{"policy", "learned"}, {"cause", "ranges"}})
        .Value();
  }

  double HandedOver() {
    return metrics_.AddGauge("berth_policy_handed_over", "", {{"policy", "learned"}}).Value();
  }

  CapturedLog log_;
  Metrics metrics_;
  ClusterViewPtr cluster_ = ViewOf({SmallNode("a")}, SmallProfile());
  std::vector<float> scores_;
};

TEST_F(RangeGuardTest, HandsOverWhatTrainingDidNotSee) {
  struct Case {
    const char* what;
    FeatureRanges ranges;
    bool out;
  };
  const Case cases[] = {
      {"within", {{"gpu_free_before", {0, 8}}, {"regime", {0, 1}}}, false},
      {"at the edge", {{"gpu_free_before", {1.7, 8}}}, false},
      {"a hundredth of the range above", {{"gpu_free_before", {0, 1.69}}}, false},
      {"further above", {{"gpu_free_before", {0, 1.6}}}, true},
      {"below", {{"gpu_free_before", {2, 3}}}, true},
      {"nothing but another number", {{"gpu_free_before", {1.6, 1.6}}}, true},
      {"nothing but this number", {{"gpu_free_before", {1.7, 1.7}}}, false},
      {"a column of the cluster", {{"regime", {0, 0}}}, true},
      {"columns that nobody named", {}, false},
  };
  for (const Case& c : cases) {
    const ScorerPtr scorer = Guarded(c.ranges);
    EXPECT_EQ(Last(*scorer, HandOver::kLeast - 1), Guard::kNone) << c.what;
    EXPECT_EQ(Last(*scorer, 1), c.out ? Guard::kRanges : Guard::kNone) << c.what;
    EXPECT_THAT(scores_, Each(c.out ? 7 : 1)) << c.what;
    EXPECT_EQ(HandedOver(), c.out ? 1 : 0) << c.what;
  }
}

TEST_F(RangeGuardTest, HandsBackOnceThePolicySeesWhatItKnows) {
  const ScorerPtr scorer = Guarded({{"gpu_free_before", {0, 1}}});
  SetFreeGpus(2000);
  ASSERT_EQ(Last(*scorer, 50), Guard::kRanges);
  EXPECT_EQ(Score(*scorer).value(), Answer("heuristic", Guard::kRanges));
  EXPECT_EQ(AnsweredInstead(), 2);
  ASSERT_THAT(log_.Lines(), SizeIs(1)) << "told once";
  EXPECT_THAT(log_.Lines()[0], HasSubstr("warning"));
  EXPECT_THAT(log_.Lines()[0], HasSubstr("share=1.00 column=\"gpu_free_before\""));

  SetFreeGpus(800);
  EXPECT_EQ(Last(*scorer, 180), Guard::kRanges) << "20 of the last 200: half of the limit";
  EXPECT_EQ(Last(*scorer, 1), Guard::kNone);
  EXPECT_EQ(HandedOver(), 0);
  ASSERT_THAT(log_.Lines(), SizeIs(2));
  EXPECT_THAT(log_.Lines()[1], HasSubstr("info"));
}

TEST_F(RangeGuardTest, LeavesTheChoiceOfGpusToWhoIsInCharge) {
  SeenInTraining seen{FeatureSchema::Make({"gpu_free_before"}, {}).value(),
                      {{"gpu_free_before", {0, 1}}}};
  const ScorerPtr scorer =
      MakeRangeGuard(MakeFgd(), MakeBestFit(), std::move(seen), 0.2, metrics_, log_.logger());
  EXPECT_THAT(scorer->ChooseGpus(SmallNode(), SmallShare(), *SmallProfile()), ElementsAre(1));
  ASSERT_EQ(Last(*scorer, 50), Guard::kRanges);
  EXPECT_THAT(scorer->ChooseGpus(SmallNode(), SmallShare(), *SmallProfile()), ElementsAre(2));
}

TEST_F(RangeGuardTest, LooksAtNothingWhereAnotherGuardHasSteppedIn) {
  const ScorerPtr failing =
      MakeFallbackScorer(FailingScorer("learned", absl::InternalError("broken")),
                         ConstantScorer("heuristic", 7), metrics_, log_.logger());
  const ScorerPtr scorer = Guarded({{"regime", {0, 0}}}, 0.2, failing);
  EXPECT_EQ(Last(*scorer, 100), Guard::kError);
  EXPECT_EQ(AnsweredInstead(), 0);
}

TEST_F(RangeGuardTest, ThatIsSwappedOutHasNothingHandedOver) {
  ScorerPtr scorer = Guarded({{"regime", {0, 0}}});
  ASSERT_EQ(Last(*scorer, 50), Guard::kRanges);
  ASSERT_EQ(HandedOver(), 1);
  scorer.reset();
  EXPECT_EQ(HandedOver(), 0);
}

TEST_F(RangeGuardTest, PassesOnFailuresAndEmptyRequests) {
  const Demand demand = SmallShare();
  EXPECT_EQ(Guarded({})->Score({cluster_, demand, {}}, {}).value(), Answer("learned"));
  const ScorerPtr failing = FailingScorer("learned", absl::InternalError("broken"));
  EXPECT_EQ(Score(*Guarded({}, 0.2, failing)).status(), absl::InternalError("broken"));
  EXPECT_THAT(log_.Lines(), IsEmpty());
}

}  // namespace
}  // namespace berth
