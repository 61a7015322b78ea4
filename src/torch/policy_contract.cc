#include "torch/policy_contract.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>
#include <string>
#include <vector>

#include "base/rng.h"
#include "policy/ranking.h"

namespace berth {
namespace {

// So many are also asked about alone and in pairs.
constexpr size_t kApart = 7;

// A row of zeros, then numbers of the size that columns have.
std::vector<float> MakeRows(size_t count, size_t columns) {
  Rng rng(1);
  std::uniform_real_distribution<float> value(0, 8);
  std::vector<float> rows(count * columns);
  for (size_t i = columns; i < rows.size(); ++i) rows[i] = value(rng);
  return rows;
}

class Probe {
 public:
  Probe(const RowModel& model, size_t columns, size_t context_columns, size_t count, float context)
      : model_(model),
        columns_(columns),
        count_(count),
        rows_(MakeRows(count, columns)),
        context_(context_columns, context),
        expected_(count) {}

  Status Run() {
    Status together = model_.Evaluate(rows_, context_, expected_);
    if (!together.ok()) return together;
    for (float score : expected_) {
      if (!std::isfinite(score)) return Broken(NotFinite());
    }
    std::vector<size_t> all(count_);
    std::iota(all.begin(), all.end(), size_t{0});
    if (Status status = Compare(all, "asked again"); !status.ok()) return status;
    const std::vector<size_t> reversed(all.rbegin(), all.rend());
    if (Status status = Compare(reversed, "in reverse order"); !status.ok()) return status;
    for (size_t i = 0; i < std::min(count_, kApart); ++i) {
      if (Status status = Compare({i}, "alone"); !status.ok()) return status;
      if (Status status = Compare({i, (i + 3) % count_}, "in a pair"); !status.ok()) return status;
    }
    return CompareHalf(all);
  }

 private:
  static Status Broken(std::string_view why) {
    return absl::FailedPreconditionError(fmt::format("breaks the policy contract: {}", why));
  }

  std::string NotFinite() const {
    return fmt::format(
        "a score is not finite with {} rows of made-up numbers from 0 to 8; mind "
        "weights that are not, divisions, logarithms and roots",
        count_);
  }

  Status CompareHalf(std::vector<size_t> numbers) const {
    numbers.resize((numbers.size() + 1) / 2);
    return Compare(numbers, fmt::format("with {} of them", numbers.size()));
  }

  // The rows of these numbers must score as they did together.
  Status Compare(const std::vector<size_t>& numbers, std::string_view how) const {
    std::vector<float> rows;
    for (size_t i : numbers) {
      rows.insert(rows.end(), rows_.begin() + i * columns_, rows_.begin() + (i + 1) * columns_);
    }
    std::vector<float> scores(numbers.size());
    if (Status status = model_.Evaluate(rows, context_, scores); !status.ok()) return status;
    for (size_t i = 0; i < numbers.size(); ++i) {
      const float together = expected_[numbers[i]];
      if (std::abs(scores[i] - together) <= kScoreGrid) continue;
      return Broken(
          fmt::format("the score of a row is {} with {} rows, but {} {}; it may depend on "
                      "that row and the context only",
                      together, count_, scores[i], how));
    }
    return absl::OkStatus();
  }

  const RowModel& model_;
  const size_t columns_, count_;
  const std::vector<float> rows_;
  const std::vector<float> context_;
  std::vector<float> expected_;
};

}  // namespace

Status CheckPolicyContract(const RowModel& model, size_t columns, size_t context_columns,
                           size_t rows) {
  for (float context : {0.0f, 1.0f}) {
    Status status = Probe(model, columns, context_columns, rows, context).Run();
    if (!status.ok()) return status;
  }
  return absl::OkStatus();
}

}  // namespace berth
