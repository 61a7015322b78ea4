#include "apps/berth/gains.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "apps/berth/by_seed.h"
#include "apps/berth/group_runs.h"

namespace berth {
namespace {

using Runs = std::span<const EvaluatedRun>;
using Number = std::function<std::optional<double>(const EvaluatedRun&)>;

// What one policy and FGD did on one trace.
struct Pair {
  Runs runs, fgd;

  BySeed Difference(const Number& number_of) const {
    return Differences(NumbersBySeed(runs, number_of), NumbersBySeed(fgd, number_of));
  }
};

// By policy, in the order of the runs, and by trace.
std::vector<std::vector<Pair>> PairsWithFgd(Runs all) {
  std::vector<std::vector<Pair>> of_policies;
  for (const Runs trace : GroupRuns(all, [](const EvaluatedRun& run) { return run.trace; })) {
    const std::vector<Runs> groups = GroupByPolicy(trace);
    const Runs fgd = RunsOfPolicy("fgd", groups);
    if (fgd.empty()) return {};
    of_policies.resize(groups.size());
    for (size_t i = 0; i < groups.size(); ++i) of_policies[i].push_back({groups[i], fgd});
  }
  std::erase_if(of_policies, [](const std::vector<Pair>& pairs) {
    return pairs.front().runs.data() == pairs.front().fgd.data();
  });
  return of_policies;
}

// Of the seeds that all have.
BySeed MeanOverTraces(std::span<const BySeed> traces) {
  BySeed means;
  for (const auto& [seed, ignored] : traces.front()) {
    const auto has_seed = [seed](const BySeed& trace) { return trace.contains(seed); };
    if (!std::ranges::all_of(traces, has_seed)) continue;
    for (const BySeed& trace : traces) {
      means[seed] += trace.at(seed) / static_cast<double>(traces.size());
    }
  }
  return means;
}

void AddGain(Gain gain, const BySeed& differences, std::vector<Gain>& gains) {
  if (differences.empty()) return;
  gain.points = MeanOf(differences);
  gain.of = differences.size();
  gain.above = std::ranges::count_if(differences, [](const auto& seed) { return seed.second > 0; });
  gains.push_back(std::move(gain));
}

void AddGains(const std::vector<Pair>& traces, std::vector<Gain>& gains) {
  std::array<std::vector<BySeed>, kGainLoads.size()> by_load;
  const std::string& policy = traces.front().runs.front().policy.name;
  for (const Pair& pair : traces) {
    for (size_t i = 0; i < kGainLoads.size(); ++i) {
      const size_t load = kGainLoads[i];
      by_load[i].push_back(
          pair.Difference([load](const auto& r) { return r.result.curve.At(load); }));
      AddGain({policy, pair.runs.front().trace, load}, by_load[i].back(), gains);
    }
  }
  if (traces.size() == 1) return;
  for (size_t i = 0; i < kGainLoads.size(); ++i) {
    AddGain({policy, "", kGainLoads[i]}, MeanOverTraces(by_load[i]), gains);
  }
}

// `sum_of` gives what failed of the class in a run.
template <class SumOf>
MoreFailures Failures(const Pair& pair, std::string_view of_class, SumOf sum_of) {
  const EvaluatedRun& run = pair.runs.front();
  const BySeed pods = pair.Difference([&](const auto& r) { return sum_of(r.result.failed).pods; });
  const BySeed gpus =
      pair.Difference([&](const auto& r) { return sum_of(r.result.failed).gpus(); });
  return {run.policy.name, run.trace, of_class, MeanOf(pods), MeanOf(gpus)};
}

}  // namespace

std::vector<Gain> GainsOverFgd(Runs runs) {
  std::vector<Gain> gains;
  for (const std::vector<Pair>& traces : PairsWithFgd(runs)) AddGains(traces, gains);
  return gains;
}

std::vector<MoreFailures> FailuresBesideFgd(Runs runs) {
  std::vector<MoreFailures> failures;
  for (const std::vector<Pair>& traces : PairsWithFgd(runs)) {
    for (const Pair& pair : traces) {
      failures.push_back(Failures(pair, "all", [](const FailedPods& f) { return f.all; }));
      for (size_t i = 0; i < kFailureClasses; ++i) {
        failures.push_back(Failures(pair, NameOfFailureClass(i),
                                    [i](const FailedPods& f) { return f.of_class[i]; }));
      }
    }
  }
  return failures;
}

}  // namespace berth
