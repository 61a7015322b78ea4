#include "policy/node_scorer.h"

namespace berth {
namespace {

class NodeScorer final : public Scorer {
 public:
  NodeScorer(std::string_view name, NodeScore score) : name_(name), score_(score) {}

  std::string_view name() const override { return name_; }

  Result<Answer> Score(const ScoreRequest& request, std::span<float> scores) const override {
    for (size_t i = 0; i < scores.size(); ++i) {
      scores[i] = static_cast<float>(score_(*request.candidates[i], request.demand));
    }
    return name_;
  }

 private:
  std::string_view name_;
  NodeScore score_;
};

}  // namespace

ScorerPtr MakeNodeScorer(std::string_view name, NodeScore score) {
  return std::make_shared<NodeScorer>(name, score);
}

}  // namespace berth
