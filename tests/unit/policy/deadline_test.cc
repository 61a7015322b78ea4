#include "policy/deadline.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <atomic>
#include <future>
#include <set>
#include <thread>
#include <vector>

#include "policy/heuristics.h"
#include "support/fake_clock.h"
#include "support/fake_scorer.h"
#include "support/small_case.h"
#include "support/views.h"

namespace berth {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using ::testing::Each;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::SizeIs;

// Hangs in both calls until Release, which a test does before it ends.
class HangingScorer final : public Scorer {
 public:
  std::string_view name() const override { return "hanging"; }

  Result<Answer> Score(const ScoreRequest& request, std::span<float> scores) const override {
    ++asked_;
    released_.wait();
    // Touches all it was given: sanitizers see whether that is still there.
    for (size_t i = 0; i < scores.size(); ++i) {
      scores[i] =
          static_cast<float>(request.candidates[i]->free.cpu.value() - request.demand.cpu.value() +
                             request.cluster->context().gpu_load_bucket);
    }
    return name();
  }

  GpuSet ChooseGpus(const Node& node, const Demand& demand,
                    const WorkloadProfile& profile) const override {
    released_.wait();
    return MakeFgd()->ChooseGpus(node, demand, profile);
  }

  void Release() { release_.set_value(); }

  int asked() const { return asked_; }

 private:
  mutable std::atomic<int> asked_{0};
  std::promise<void> release_;
  std::shared_future<void> released_ = release_.get_future().share();
};

class DeadlineTest : public ::testing::Test {
 protected:
  ScorerPtr WithDeadline(ScorerPtr inner, milliseconds budget, int max_stuck = 2,
                         int max_busy = 4) {
    return MakeDeadlineScorer(std::move(inner), {budget, max_busy, max_stuck}, clock_, metrics_);
  }

  Result<Answer> Score(const Scorer& scorer, Clock::TimePoint deadline = Clock::TimePoint::max()) {
    const ClusterViewPtr cluster = ViewOf({SmallNode("a"), SmallNode("b")}, SmallProfile());
    const Demand demand = SmallShare();
    const std::vector<const Node*> candidates = AllNodes(*cluster);
    scores_.assign(candidates.size(), -1);
    return scorer.Score({cluster, demand, candidates, deadline}, scores_);
  }

  double Stuck() {
    return metrics_.AddGauge("berth_policy_stuck_workers", "", {{"policy", "hanging"}}).Value();
  }

  double Late() {
    return metrics_.AddCounter("berth_policy_late_answers_total", "", {{"policy", "hanging"}})
        .Value();
  }

  // Asks until one more call hangs. Under load a worker may not get to begin within a millisecond,
  // and then it does not hang.
  void HangOneMore(const Scorer& scorer) {
    const double before = Stuck();
    while (Stuck() == before) {
      ASSERT_EQ(Score(scorer).status().code(), absl::StatusCode::kDeadlineExceeded);
    }
  }

  void AwaitNoneStuck() {
    while (Stuck() > 0) std::this_thread::yield();
  }

  FakeClock clock_;
  Metrics metrics_;
  std::vector<float> scores_;
};

TEST_F(DeadlineTest, PassesAnAnswerInTimeOn) {
  const ScorerPtr scorer = WithDeadline(ConstantScorer("quick", 7), hours(1));
  EXPECT_EQ(scorer->name(), "quick");
  EXPECT_EQ(Score(*scorer).value(), Answer("quick"));
  EXPECT_THAT(scores_, ElementsAre(7, 7));
}

TEST_F(DeadlineTest, PassesAnErrorOn) {
  const ScorerPtr scorer =
      WithDeadline(FailingScorer("broken", absl::InternalError("torn")), hours(1));
  EXPECT_EQ(Score(*scorer).status(), absl::InternalError("torn"));
}

TEST_F(DeadlineTest, TellsThePolicyTheNearerOfDeadlineAndBudget) {
  Clock::TimePoint told;
  const auto inner =
      std::make_shared<FakeScorer>("inner", [&](const ScoreRequest& request, std::span<float>) {
        told = request.deadline;
        return absl::OkStatus();
      });
  const ScorerPtr scorer = WithDeadline(inner, hours(2));
  ASSERT_TRUE(Score(*scorer, clock_.Now() + hours(1)).ok());
  EXPECT_EQ(told, clock_.Now() + hours(1));
  ASSERT_TRUE(Score(*scorer, clock_.Now() + hours(3)).ok());
  EXPECT_EQ(told, clock_.Now() + hours(2));
}

TEST_F(DeadlineTest, GivesUpAfterTheBudget) {
  const auto hanging = std::make_shared<HangingScorer>();
  const ScorerPtr scorer = WithDeadline(hanging, milliseconds(1));
  HangOneMore(*scorer);
  EXPECT_GE(Late(), 1);
  EXPECT_EQ(Stuck(), 1);
  hanging->Release();
  AwaitNoneStuck();
}

TEST_F(DeadlineTest, GivesUpAtTheRequestsDeadline) {
  const auto hanging = std::make_shared<HangingScorer>();
  const ScorerPtr scorer = WithDeadline(hanging, hours(1));
  EXPECT_EQ(Score(*scorer, clock_.Now() + milliseconds(1)).status().code(),
            absl::StatusCode::kDeadlineExceeded);
  hanging->Release();
  AwaitNoneStuck();
}

TEST_F(DeadlineTest, DoesNotEvenAskWhenTheDeadlineHasPassed) {
  const auto never = FailingScorer("hanging", absl::InternalError("asked"));
  const ScorerPtr scorer = WithDeadline(never, hours(1));
  const Clock::TimePoint deadline = clock_.Now() + hours(1);
  clock_.Advance(hours(2));
  EXPECT_EQ(Score(*scorer, deadline).status().code(), absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(Stuck(), 0);
  EXPECT_EQ(Late(), 1);
}

TEST_F(DeadlineTest, FailsAtOnceWhileTooManyCallsHang) {
  const auto hanging = std::make_shared<HangingScorer>();
  const ScorerPtr scorer = WithDeadline(hanging, milliseconds(1), /*max_stuck=*/2);
  HangOneMore(*scorer);
  HangOneMore(*scorer);
  EXPECT_EQ(Stuck(), 2);
  const double late = Late();
  const auto refused = Score(*scorer);
  EXPECT_EQ(refused.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(refused.status().message()), HasSubstr("policy hanging: 2 calls hang"));
  EXPECT_EQ(Late(), late) << "nobody waited";

  hanging->Release();
  AwaitNoneStuck();
  // Now that it answers, it may take the millisecond or not, but it is asked again.
  EXPECT_NE(Score(*scorer).status().code(), absl::StatusCode::kUnavailable);
  AwaitNoneStuck();
}

TEST_F(DeadlineTest, DoesNotWaitForStuckWorkersWhenDeleted) {
  const auto hanging = std::make_shared<HangingScorer>();
  ScorerPtr scorer = WithDeadline(hanging, milliseconds(1));
  HangOneMore(*scorer);
  scorer.reset();
  EXPECT_EQ(Stuck(), 0) << "what it counted goes with it";
  hanging->Release();
  // The call goes on with its own copies of the demand, the candidates and the view.
  while (hanging.use_count() > 1) std::this_thread::yield();
}

TEST_F(DeadlineTest, BoundsTheChoiceOfGpusToo) {
  EXPECT_THAT(
      WithDeadline(MakeFgd(), hours(1))->ChooseGpus(SmallNode(), SmallShare(), *SmallProfile()),
      ElementsAre(1))
      << "the policy's choice";
  const auto hanging = std::make_shared<HangingScorer>();
  const ScorerPtr scorer = WithDeadline(hanging, milliseconds(1));
  do {
    EXPECT_THAT(scorer->ChooseGpus(SmallNode(), SmallShare(), *SmallProfile()), ElementsAre(2))
        << "best fit";
  } while (Stuck() == 0);
  hanging->Release();
  AwaitNoneStuck();
}

TEST_F(DeadlineTest, RequestsBeyondTheBusyOnesWaitAndAreLateWithoutBeingStuck) {
  const auto hanging = std::make_shared<HangingScorer>();
  const ScorerPtr scorer = WithDeadline(hanging, hours(1), /*max_stuck=*/2, /*max_busy=*/1);
  std::jthread first([&] { EXPECT_TRUE(Score(*scorer).ok()); });
  while (hanging->asked() == 0) std::this_thread::yield();

  std::vector<float> scores(1);
  const ClusterViewPtr cluster = ViewOf({SmallNode("a")}, SmallProfile());
  const auto candidates = AllNodes(*cluster);
  const Demand demand = SmallShare();
  const auto soon = clock_.Now() + milliseconds(1);
  EXPECT_EQ(scorer->Score({cluster, demand, candidates, soon}, scores).status().code(),
            absl::StatusCode::kDeadlineExceeded);
  EXPECT_EQ(hanging->asked(), 1);
  EXPECT_EQ(Late(), 1);
  EXPECT_EQ(Stuck(), 0);

  std::jthread next([&] {
    EXPECT_TRUE(scorer->Score({cluster, demand, candidates}, scores).ok()) << "it had its turn";
  });
  hanging->Release();
}

TEST_F(DeadlineTest, AStuckWorkerHoldsUpNobody) {
  const auto hanging = std::make_shared<HangingScorer>();
  const ScorerPtr scorer = WithDeadline(hanging, milliseconds(1), /*max_stuck=*/2, /*max_busy=*/1);
  HangOneMore(*scorer);
  HangOneMore(*scorer);
  EXPECT_EQ(Stuck(), 2) << "the second had a worker of its own";
  hanging->Release();
  AwaitNoneStuck();
}

TEST_F(DeadlineTest, KeepsWorkersForLaterRequests) {
  std::set<std::thread::id> threads;
  const auto inner =
      std::make_shared<FakeScorer>("inner", [&](const ScoreRequest&, std::span<float>) {
        threads.insert(std::this_thread::get_id());
        return absl::OkStatus();
      });
  const ScorerPtr scorer = WithDeadline(inner, hours(1));
  for (int i = 0; i < 10; ++i) ASSERT_TRUE(Score(*scorer).ok());
  EXPECT_THAT(threads, SizeIs(1));
}

TEST_F(DeadlineTest, AnswersManyThreadsAtOnce) {
  const ScorerPtr scorer = WithDeadline(MakeBestFit(), hours(1));
  const ClusterViewPtr cluster = ViewOf({SmallNode("a")}, SmallProfile());
  const std::vector<const Node*> candidates = AllNodes(*cluster);
  const Demand demand = SmallShare();
  std::vector<std::vector<float>> answers(8);
  {
    std::vector<std::jthread> callers;
    for (auto& answer : answers) {
      callers.emplace_back([&] {
        for (int i = 0; i < 200; ++i) {
          float score = 0;
          ASSERT_TRUE(scorer->Score({cluster, demand, candidates}, {&score, 1}).ok());
          answer.push_back(score);
        }
      });
    }
  }
  for (const auto& answer : answers) {
    EXPECT_THAT(answer, SizeIs(200));
    EXPECT_THAT(answer, Each(86.5625f));
  }
}

}  // namespace
}  // namespace berth
