#include <absl/strings/str_cat.h>

#include <memory>
#include <utility>
#include <vector>

#include "base/real_clock.h"
#include "bench/living_books.h"
#include "bench/sections.h"
#include "bench/times.h"
#include "decisions/decision_log.h"
#include "demo/workload.h"
#include "policy/cache.h"
#include "policy/decision_queue.h"
#include "policy/heuristics.h"
#include "policy/policy_slot.h"
#include "policy/ranking.h"
#include "rollout/rollout_watch.h"
#include "service/decision_reporter.h"
#include "support/served.h"
#include "support/temp_directory.h"
#include "support/views.h"

namespace berth {
namespace {

ServedPolicyPtr Cached(ScorerPtr policy, Metrics& metrics) {
  return Served(MakeCachedScorer(std::move(policy), 256, metrics));
}

// What `berth serve` does about one pod, without gRPC: ranking all nodes, and telling who watches.
class Answers {
 public:
  Answers(const DecisionReporter* decisions, ServedPolicyPtr policy, const Clock& clock)
      : decisions_(decisions), clock_(clock), policy_(std::move(policy)) {}

  size_t Answer(const ClusterViewPtr& view, const Pod& pod) {
    std::vector<const Node*> nodes = AllNodes(*view);
    return times_.Measure([&] {
      const Clock::TimePoint asked = clock_.Now();
      Ranking ranking = Rank(*policy_->scorer, view, pod.demand, nodes).value();
      const size_t feasible = ranking.feasible;
      if (decisions_ == nullptr) return feasible;
      decisions_->Report({.asked = asked,
                          .pod = {.name = pod.name, .uid = pod.uid.value()},
                          .demand = pod.demand,
                          .cluster = view,
                          .candidates = std::move(nodes),
                          .served = policy_,
                          .ranking = std::move(ranking)});
      return feasible;
    });
  }

  Times& times() { return times_; }

 private:
  const DecisionReporter* decisions_;
  const Clock& clock_;
  const ServedPolicyPtr policy_;
  Times times_;
};

// A shadow, asked about every decision on a thread of its own (apps/berth/followed_rollout.h).
class Shadowed {
 public:
  Shadowed(Metrics& metrics, const Clock& clock, const WallClock& wall_clock, Logger& log)
      : policies_({.active = Cached(MakeFgdBestFit(), metrics),
                   .canary = std::nullopt,
                   .shadow = Cached(MakeFgd(), metrics)}),
        watch_(policies_, clock, metrics, log),
        dropped_(metrics.AddCounter("dropped", "Not compared.")),
        decisions_(
            [this](const std::vector<DecisionPtr>& waiting) {
              for (const DecisionPtr& decision : waiting) watch_.Watch(*decision);
            },
            dropped_),
        reporter_(decisions_, clock, wall_clock) {}

  const DecisionReporter& reporter() const { return reporter_; }
  ServedPolicyPtr active() const { return policies_.Get()->active; }
  double dropped() const { return dropped_.Value(); }

 private:
  PolicySlot policies_;
  RolloutWatch watch_;
  Counter& dropped_;
  DecisionQueue decisions_;
  DecisionReporter reporter_;
};

void AddTimes(const std::string& name, const std::string& at, Times& times, Report& report) {
  report.Add(name + "_ms" + at, times.Milliseconds(0.5));
  report.Add(name + "_p99_ms" + at, times.Milliseconds(0.99));
}

void AddRatios(const std::string& name, const std::string& at, Report& report) {
  report.AddRatio(name + "_ratio" + at, name + "_ms" + at, "answer_ms" + at);
  report.AddRatio(name + "_p99_ratio" + at, name + "_p99_ms" + at, "answer_p99_ms" + at);
}

void MeasureAt(size_t nodes, const BenchInput& input, Report& report) {
  constexpr int kQuestions = 20;  // for each of sizes.questions
  Rng rng(1);
  const std::vector<Pod> pods = DrawPods(*input.profile, MilliGpu(1'000'000'000), 64, rng);
  LivingBooks books(input.profile, nodes, input.sizes.pods_per_node);
  const TempDirectory directory;
  const RealClock clock;
  const RealWallClock wall_clock;
  Metrics metrics;
  CapturedLog log;
  DecisionLog decisions(directory.path() / "decisions.db", {}, clock, wall_clock, metrics,
                        log.logger());
  const DecisionReporter reporter(decisions, clock, wall_clock);
  const Counter& dropped = metrics.AddCounter(
      "berth_decisions_total", "Decisions by what became of them in the decision log.",
      {{"outcome", "dropped"}});
  const Shadowed shadow(metrics, clock, wall_clock, log.logger());
  Answers plain(nullptr, Cached(MakeFgdBestFit(), metrics), clock);
  Answers logged(&reporter, Cached(MakeFgdBestFit(), metrics), clock);
  Answers shadowed(&shadow.reporter(), shadow.active(), clock);
  // In turns, so that whatever else happens on the machine happens to all; who is not the first
  // finds the view in the processor's cache.
  Answers* const all[] = {&plain, &logged, &shadowed};
  for (int i = 0; i < kQuestions * input.sizes.questions; ++i) {
    books.ReplaceOnePod();
    const ClusterViewPtr view = books.View();
    for (int turn = 0; turn < 3; ++turn) all[(i + turn) % 3]->Answer(view, pods[i % pods.size()]);
  }
  const std::string at = absl::StrCat("_at_", nodes, "_nodes");
  AddTimes("answer", at, plain.times(), report);
  AddTimes("answer_logged", at, logged.times(), report);
  AddTimes("answer_shadowed", at, shadowed.times(), report);
  report.Add("decisions_dropped" + at, dropped.Value());
  report.Add("decisions_unwatched" + at, shadow.dropped());
  AddRatios("answer_logged", at, report);
  AddRatios("answer_shadowed", at, report);
}

}  // namespace

Status MeasureDecisions(const BenchInput& input, Report& report) {
  report.Section("What the decision log and a shadow add to an answer (fgd-bestfit; shadow: fgd)");
  for (const size_t nodes : {input.sizes.episode_nodes, input.sizes.nodes}) {
    MeasureAt(nodes, input, report);
  }
  return {};
}

}  // namespace berth
