#include "extender/priorities.h"

#include <array>

#include "base/check.h"

namespace berth {
namespace {

constexpr std::array<int64_t, 8> kByRank = {10, 5, 4, 3, 2, 2, 2, 2};
constexpr int64_t kFurtherBehind = 1;

}  // namespace

std::vector<int64_t> Priorities(const ScoreAnswer& answer, size_t candidates) {
  BERTH_CHECK(answer.order.size() == candidates, "an order names every candidate once");
  if (candidates == 1) return {kByRank[0]};

  std::vector<int64_t> scores(candidates, 0);
  const size_t known = candidates - answer.unknown;
  const size_t ranked = answer.feasible > 0 ? answer.feasible : known;
  for (size_t rank = 0; rank < ranked; ++rank) {
    scores[answer.order[rank]] = rank < kByRank.size() ? kByRank[rank] : kFurtherBehind;
  }
  return scores;
}

}  // namespace berth
