#include "policy/linear.h"

#include <memory>
#include <numeric>
#include <utility>

#include "base/check.h"
#include "policy/row_scorer.h"

namespace berth {
namespace {

class LinearModel final : public RowModel {
 public:
  explicit LinearModel(std::vector<double> weights) : weights_(std::move(weights)) {}

  Status Evaluate(std::span<const float> rows, std::span<const float>,
                  std::span<float> scores) const override {
    for (size_t i = 0; i < scores.size(); ++i) {
      const auto row = rows.subspan(i * weights_.size(), weights_.size());
      scores[i] = static_cast<float>(std::inner_product(row.begin(), row.end(),  //
                                                        weights_.begin(), 0.0));
    }
    return absl::OkStatus();
  }

 private:
  const std::vector<double> weights_;
};

}  // namespace

FeatureSchema LinearPolicy::Schema() const {
  std::vector<std::string> columns;
  for (const Term& term : terms) columns.push_back(term.column);
  auto schema = FeatureSchema::Make(std::move(columns), {});
  BERTH_CHECK(schema.ok(), schema.status().ToString().c_str());
  return *std::move(schema);
}

ScorerPtr MakeLinearScorer(const LinearPolicy& policy) {
  std::vector<double> weights;
  for (const LinearPolicy::Term& term : policy.terms) weights.push_back(term.weight);
  return MakeRowScorer(policy.name, policy.Schema(),
                       std::make_unique<LinearModel>(std::move(weights)));
}

}  // namespace berth
