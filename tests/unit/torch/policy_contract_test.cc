#include "torch/policy_contract.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <utility>

namespace berth {
namespace {

using ::testing::HasSubstr;
using ::testing::IsSupersetOf;

constexpr size_t kColumns = 3;

using Evaluation = std::function<void(std::span<const float> rows, std::span<const float> context,
                                      std::span<float> scores)>;

class FakeModel final : public RowModel {
 public:
  explicit FakeModel(Evaluation evaluation) : evaluation_(std::move(evaluation)) {}

  Status Evaluate(std::span<const float> rows, std::span<const float> context,
                  std::span<float> scores) const override {
    EXPECT_EQ(rows.size(), scores.size() * kColumns);
    evaluation_(rows, context, scores);
    return absl::OkStatus();
  }

 private:
  Evaluation evaluation_;
};

Status Check(Evaluation evaluation) {
  return CheckPolicyContract(FakeModel(std::move(evaluation)), kColumns, 2);
}

float SumOf(std::span<const float> numbers) {
  return std::accumulate(numbers.begin(), numbers.end(), 0.0f);
}

void SumEachRow(std::span<const float> rows, std::span<const float> context,
                std::span<float> scores) {
  for (size_t i = 0; i < scores.size(); ++i) {
    scores[i] = SumOf(rows.subspan(i * kColumns, kColumns)) * (1 + SumOf(context));
  }
}

TEST(CheckPolicyContract, AcceptsRowsThatScoreOnTheirOwn) {
  std::set<size_t> sizes;
  EXPECT_TRUE(Check([&](auto rows, auto context, auto scores) {
                sizes.insert(scores.size());
                EXPECT_EQ(context.size(), 2u);
                SumEachRow(rows, context, scores);
              }).ok());
  EXPECT_THAT(sizes, IsSupersetOf({1u, 2u, 7u}));
}

TEST(CheckPolicyContract, RefusesWhatBreaksIt) {
  int calls = 0;
  struct Case {
    const char* what;
    Evaluation evaluation;
    const char* want;
  };
  const Case cases[] = {
      {"a pooled score",
       [](auto rows, auto context, auto scores) {
         SumEachRow(rows, context, scores);
         const float mean = SumOf(scores) / static_cast<float>(scores.size());
         for (float& score : scores) score -= mean;
       },
       "of a row is"},
      {"a softmax",
       [](auto rows, auto context, auto scores) {
         SumEachRow(rows, context, scores);
         const float total = SumOf(scores);
         for (float& score : scores) score = total == 0 ? 0 : score / total;
       },
       "in a pair"},
      {"a score by position",
       [](auto, auto, auto scores) { std::iota(scores.begin(), scores.end(), 0.0f); },
       "in reverse order"},
      {"a score that depends on how many there are",
       [](auto, auto, auto scores) { std::ranges::fill(scores, scores.size() == 2 ? 1.0f : 0.0f); },
       "in a pair"},
      {"chance",
       [&](auto, auto, auto scores) { std::ranges::fill(scores, static_cast<float>(++calls)); },
       "asked again"},
      {"not a number", [](auto, auto, auto scores) { std::ranges::fill(scores, std::nanf("")); },
       "a score is not finite"},
      {"division by a column that may be 0",
       [](auto rows, auto, auto scores) {
         for (size_t i = 0; i < scores.size(); ++i) scores[i] = 1 / rows[i * kColumns];
       },
       "a score is not finite"},
      {"a bad score under some context only",
       [](auto, auto context, auto scores) { std::ranges::fill(scores, std::log(1 - context[0])); },
       "a score is not finite"},
  };
  for (const Case& c : cases) {
    const Status status = Check(c.evaluation);
    EXPECT_EQ(status.code(), absl::StatusCode::kFailedPrecondition) << c.what;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.want)) << c.what;
  }
}

}  // namespace
}  // namespace berth
