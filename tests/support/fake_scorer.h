#pragma once

#include <functional>
#include <string>
#include <utility>

#include "berth/policy.h"

namespace berth {

// A policy that does what the test says.
class FakeScorer final : public Scorer {
 public:
  using Answer = std::function<Status(const ScoreRequest&, std::span<float>)>;

  FakeScorer(std::string name, Answer answer)
      : name_(std::move(name)), answer_(std::move(answer)) {}

  std::string_view name() const override { return name_; }

  Result<berth::Answer> Score(const ScoreRequest& request, std::span<float> scores) const override {
    if (Status status = answer_(request, scores); !status.ok()) return status;
    return name();
  }

 private:
  std::string name_;
  Answer answer_;
};

// A policy that gives every node the same score.
inline ScorerPtr ConstantScorer(std::string name, float score) {
  return std::make_shared<FakeScorer>(std::move(name),
                                      [score](const ScoreRequest&, std::span<float> scores) {
                                        for (float& s : scores) s = score;
                                        return absl::OkStatus();
                                      });
}

inline ScorerPtr FailingScorer(std::string name, Status error) {
  return std::make_shared<FakeScorer>(
      std::move(name), [error](const ScoreRequest&, std::span<float>) { return error; });
}

}  // namespace berth
