#include "sim/parity.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

namespace berth {
namespace {

Parity LimitsOf(const SimPolicy& policy) {
  Parity parity{.policy = policy.name, .run_limit = 0.01, .mean_limit = 0.01};
  if (policy.published == "FGD") {
    parity.run_limit = 0.3;
    parity.mean_limit = 0.1;
  } else if (policy.ties == TieRule::kRandom) {
    parity.run_limit = std::numeric_limits<double>::infinity();
    parity.mean_limit = 0.3;
  }
  return parity;
}

void Keep(double distance, const std::string& where, double& worst, std::string& worst_where) {
  if (std::abs(distance) <= worst) return;
  worst = std::abs(distance);
  worst_where = where;
}

// How far runs that belong together are from what was published, added up.
class Distances {
 public:
  void Add(const EvaluatedRun& run, const PublishedResults::Curve& published, Parity& parity) {
    ++runs_;
    ++parity.runs;
    for (size_t percent = 0; percent < published.size(); ++percent) {
      const std::optional<double> allocated = run.result.curve.At(percent);
      if (!allocated) continue;
      const double distance = *allocated - published[percent];
      sums_[percent] += distance;
      Keep(distance, fmt::format("{}, seed {}, at {} %", run.trace, run.seed, percent), parity.run,
           parity.run_where);
    }
  }

  void KeepMeans(const std::string& of, Parity& parity) const {
    for (size_t percent = 0; percent < sums_.size(); ++percent) {
      Keep(sums_[percent] / static_cast<double>(runs_), fmt::format("{}, at {} %", of, percent),
           parity.mean, parity.mean_where);
    }
  }

 private:
  std::array<double, InflationCurve::kPoints> sums_{};
  int64_t runs_ = 0;
};

}  // namespace

Result<std::vector<Parity>> CompareWithPublished(const PublishedResults& published,
                                                 const std::vector<EvaluatedRun>& runs) {
  std::vector<Parity> all;
  std::map<std::pair<size_t, std::string>, Distances> distances;  // by policy and trace
  for (const EvaluatedRun& run : runs) {
    if (run.policy.published.empty()) continue;
    const auto* curve = published.Find(run.trace, run.policy.published, run.seed);
    if (curve == nullptr) {
      return absl::NotFoundError(fmt::format("nothing was published of {} on {} with seed {}",
                                             run.policy.published, run.trace, run.seed));
    }
    auto parity = std::ranges::find(all, run.policy.name, &Parity::policy);
    if (parity == all.end()) parity = all.insert(parity, LimitsOf(run.policy));
    const auto number = static_cast<size_t>(parity - all.begin());
    const std::string of = run.policy.ties == TieRule::kRandom ? "all runs" : run.trace;
    distances[{number, of}].Add(run, *curve, *parity);
  }
  for (const auto& [key, runs_of] : distances) runs_of.KeepMeans(key.second, all[key.first]);
  return all;
}

}  // namespace berth
