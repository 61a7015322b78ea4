#include "torch/torch_model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>
#include <string>
#include <thread>
#include <vector>

#include "support/torch_policies.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

constexpr size_t kColumns = 2;

std::string Forward(const std::string& expression) {
  return "def forward(self, candidates: Tensor, context: Tensor):\n    return " + expression + "\n";
}

std::unique_ptr<const RowModel> Load(const std::string& methods) {
  auto model = LoadTorchModel(ModuleBytes(methods), kColumns);
  EXPECT_TRUE(model.ok()) << model.status();
  return *std::move(model);
}

// Three rows of two columns and a context of one.
struct Question {
  std::vector<float> rows = {1, 2, 3, 4, 5, 6}, context = {100}, scores = {0, 0, 0};
};

Status Ask(const RowModel& model, Question& question) {
  return model.Evaluate(question.rows, question.context, question.scores);
}

TEST(TorchModel, PassesRowsAndContextInAndScoresOut) {
  struct Case {
    const char* expression;
    std::vector<float> want;
  };
  const Case cases[] = {
      {"candidates.sum(1) + context", {103, 107, 111}},
      {"candidates[:, 1]", {2, 4, 6}},  // every second number in memory
      {"candidates[:, 0].flip(0)", {5, 3, 1}},
      {"context.expand(candidates.size(0))", {100, 100, 100}},
  };
  for (const Case& c : cases) {
    Question question;
    EXPECT_EQ(Ask(*Load(Forward(c.expression)), question), absl::OkStatus());
    EXPECT_EQ(question.scores, c.want) << c.expression;
  }
}

TEST(TorchModel, FailsWhenTheResultIsNotWhatWasPromised) {
  const std::pair<const char*, const char*> cases[] = {
      {"candidates", "forward must return float[3], not float[3, 2]"},
      {"candidates.sum(1).double()", "forward must return float[3], not double[3]"},
      {"candidates.sum(1)[1:]", "not float[2]"},
      {"candidates.sum(1).unsqueeze(1)", "not float[3, 1]"},
      {"candidates.sum()", "not float[]"},
      {"(candidates.sum(1), context)", "forward must return a tensor"},
      {"1.0", "forward must return a tensor"},
      {"candidates.matmul(candidates)", "mat1 and mat2"},
      {"candidates.view([7])", "invalid for input of size 6"},
  };
  for (const auto& [expression, want] : cases) {
    Question question;
    const Status status = Ask(*Load(Forward(expression)), question);
    EXPECT_EQ(status.code(), absl::StatusCode::kInternal) << expression;
    EXPECT_THAT(std::string(status.message()), HasSubstr(want)) << expression;
  }
}

TEST(TorchModel, FailsWhenForwardRaisesOrTakesOtherArguments) {
  const std::pair<const char*, const char*> cases[] = {
      {"def forward(self, candidates: Tensor, context: Tensor) -> Tensor:\n"
       "    assert context.size(0) == 7, 'out of luck'\n"
       "    return candidates.sum(1)\n",
       "out of luck"},
      {"def forward(self, candidates: Tensor) -> Tensor:\n    return candidates.sum(1)\n",
       "argument"},
      {"def forward(self, candidates: Tensor, context: int) -> Tensor:\n"
       "    return candidates.sum(context)\n",
       "argument"},
  };
  for (const auto& [methods, want] : cases) {
    Question question;
    const Status status = Ask(*Load(methods), question);
    EXPECT_EQ(status.code(), absl::StatusCode::kInternal);
    EXPECT_THAT(std::string(status.message()), HasSubstr(want));
  }
}

TEST(LoadTorchModel, RefusesWhatItCannotRun) {
  const std::string sound = ModuleBytes(Forward("candidates.sum(1)"));
  const std::string cases[] = {"", "weights", sound.substr(0, sound.size() / 2),
                               ModuleBytes("def backward(self, x: Tensor):\n    return x\n")};
  for (const std::string& bytes : cases) {
    const auto model = LoadTorchModel(bytes, kColumns);
    EXPECT_EQ(model.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_FALSE(model.status().message().empty());
  }
}

TEST(TorchModel, AnswersManyThreadsAtOnce) {
  const auto model = Load(Forward("candidates.sum(1) + context"));
  std::vector<std::vector<float>> answers(4);
  {
    std::vector<std::jthread> threads;
    for (auto& answer : answers) {
      threads.emplace_back([&] {
        for (int i = 0; i < 100; ++i) {
          Question question;
          ASSERT_TRUE(Ask(*model, question).ok());
          answer = question.scores;
        }
      });
    }
  }
  for (const auto& answer : answers) EXPECT_THAT(answer, ElementsAre(103, 107, 111));
}

}  // namespace
}  // namespace berth
