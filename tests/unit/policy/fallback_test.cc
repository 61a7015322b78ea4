#include "policy/fallback.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/ostream_sink.h>

#include <cmath>
#include <limits>
#include <sstream>

#include "policy/heuristics.h"
#include "support/fake_scorer.h"
#include "support/small_case.h"
#include "support/views.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

class FallbackTest : public ::testing::Test {
 protected:
  // `primary` does what `answer_` says at the time.
  ScorerPtr WithFallback(ScorerPtr fallback) {
    auto primary = std::make_shared<FakeScorer>(
        "learned", [this](const ScoreRequest& request, std::span<float> scores) {
          return answer_(request, scores);
        });
    return MakeFallbackScorer(std::move(primary), std::move(fallback), metrics_, log_);
  }

  Result<Answer> Score(const Scorer& scorer) {
    const Demand demand = SmallShare();
    const std::vector<const Node*> candidates = AllNodes(*cluster_);
    scores_.assign(candidates.size(), -1);
    return scorer.Score({cluster_, demand, candidates}, scores_);
  }

  static FakeScorer::Answer Gives(std::vector<float> scores) {
    return [scores](const ScoreRequest&, std::span<float> out) {
      std::ranges::copy(scores, out.begin());
      return absl::OkStatus();
    };
  }

  static FakeScorer::Answer Fails(Status error) {
    return [error](const ScoreRequest&, std::span<float>) { return error; };
  }

  std::string TakeLog() {
    std::string text = lines_.str();
    lines_.str("");
    return text;
  }

  double Count(const std::string& cause) {
    return metrics_
        .AddCounter("berth_policy_fallbacks_total", "", {{"policy", "learned"}, {"cause", cause}})
        .Value();
  }

  std::ostringstream lines_;
  Logger log_{"test", std::make_shared<spdlog::sinks::ostream_sink_mt>(lines_)};
  Metrics metrics_;
  FakeScorer::Answer answer_ = Gives({1, 2});
  ClusterViewPtr cluster_ = ViewOf({SmallNode("a"), SmallNode("b")}, SmallProfile());
  std::vector<float> scores_;
};

TEST_F(FallbackTest, LeavesAGoodAnswerAlone) {
  const ScorerPtr scorer = WithFallback(ConstantScorer("heuristic", 7));
  EXPECT_EQ(scorer->name(), "learned");
  EXPECT_EQ(Score(*scorer).value(), Answer("learned"));
  EXPECT_THAT(scores_, ElementsAre(1, 2));
  EXPECT_THAT(TakeLog(), IsEmpty());
  EXPECT_THAT(metrics_.Text(),
              HasSubstr("berth_policy_fallbacks_total{cause=\"error\",policy=\"learned\"} 0"));
}

TEST_F(FallbackTest, AnswersTheWholeRequestWhenThePrimaryFails) {
  struct Case {
    const char* cause;
    Guard guard;
    FakeScorer::Answer answer;
  };
  const Case cases[] = {
      {"error", Guard::kError, Fails(absl::InternalError("broken"))},
      {"error", Guard::kError, Fails(absl::UnavailableError("2 calls hang"))},
      {"deadline", Guard::kDeadline, Fails(absl::DeadlineExceededError("late"))},
      {"not_finite", Guard::kNotFinite, Gives({std::nanf(""), 2})},
      {"not_finite", Guard::kNotFinite, Gives({1, std::numeric_limits<float>::infinity()})},
      {"not_finite", Guard::kNotFinite, Gives({1, -std::numeric_limits<float>::infinity()})},
  };
  const ScorerPtr scorer = WithFallback(ConstantScorer("heuristic", 7));
  for (const Case& c : cases) {
    const double before = Count(c.cause);
    answer_ = c.answer;
    EXPECT_EQ(Score(*scorer).value(), Answer("heuristic", c.guard));
    EXPECT_THAT(scores_, ElementsAre(7, 7));
    EXPECT_EQ(Count(c.cause), before + 1);
  }
}

TEST_F(FallbackTest, LogsEachChangeOnce) {
  const ScorerPtr scorer = WithFallback(ConstantScorer("heuristic", 7));
  answer_ = Fails(absl::InternalError("torn weights"));
  ASSERT_TRUE(Score(*scorer).ok());
  const std::string warning = TakeLog();
  EXPECT_THAT(warning, HasSubstr("[warning]"));
  EXPECT_THAT(warning, HasSubstr("policy=\"learned\" fallback=\"heuristic\""));
  EXPECT_THAT(warning, HasSubstr("torn weights"));

  ASSERT_TRUE(Score(*scorer).ok());
  EXPECT_THAT(TakeLog(), IsEmpty()) << "still the same state";

  answer_ = Gives({1, 2});
  ASSERT_TRUE(Score(*scorer).ok());
  EXPECT_THAT(TakeLog(), HasSubstr("[info]"));
  ASSERT_TRUE(Score(*scorer).ok());
  EXPECT_THAT(TakeLog(), IsEmpty());

  answer_ = Fails(absl::InternalError("torn again"));
  ASSERT_TRUE(Score(*scorer).ok());
  EXPECT_THAT(TakeLog(), HasSubstr("torn again"));
}

TEST_F(FallbackTest, FailsWhenBothFail) {
  answer_ = Fails(absl::InternalError("first"));
  const ScorerPtr scorer = WithFallback(FailingScorer("heuristic", absl::InternalError("second")));
  EXPECT_EQ(Score(*scorer).status(), absl::InternalError("second"));
}

TEST_F(FallbackTest, IsSeenEvenWhenBothHaveOneName) {
  answer_ = Fails(absl::InternalError("broken"));
  const ScorerPtr scorer = WithFallback(ConstantScorer("learned", 7));
  EXPECT_EQ(Score(*scorer).value(), Answer("learned", Guard::kError));
}

TEST_F(FallbackTest, PassesOnWhatAGuardInsideSaid) {
  const ScorerPtr inside = WithFallback(ConstantScorer("heuristic", 7));
  const ScorerPtr scorer = MakeFallbackScorer(inside, ConstantScorer("other", 9), metrics_, log_);
  answer_ = Fails(absl::DeadlineExceededError("late"));
  EXPECT_EQ(Score(*scorer).value(), Answer("heuristic", Guard::kDeadline));
}

TEST_F(FallbackTest, LeavesTheChoiceOfGpusToThePrimary) {
  const ScorerPtr fgd_first = MakeFallbackScorer(MakeFgd(), MakeBestFit(), metrics_, log_);
  EXPECT_THAT(fgd_first->ChooseGpus(SmallNode(), SmallShare(), *SmallProfile()), ElementsAre(1));
  const ScorerPtr fgd_last = MakeFallbackScorer(MakeBestFit(), MakeFgd(), metrics_, log_);
  EXPECT_THAT(fgd_last->ChooseGpus(SmallNode(), SmallShare(), *SmallProfile()), ElementsAre(2));
}

}  // namespace
}  // namespace berth
