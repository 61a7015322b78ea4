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
#include "policy/heuristics.h"
#include "policy/ranking.h"
#include "service/decision_reporter.h"
#include "support/served.h"
#include "support/temp_directory.h"
#include "support/views.h"

namespace berth {
namespace {

// What `berth serve` does about one pod, without gRPC: ranking all nodes, and telling the log.
class Answers {
 public:
  Answers(const DecisionReporter* decisions, Metrics& metrics, const Clock& clock)
      : decisions_(decisions),
        clock_(clock),
        policy_(Served(MakeCachedScorer(MakeFgdBestFit(), 256, metrics))) {}

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
  Answers plain(nullptr, metrics, clock), logged(&reporter, metrics, clock);
  // In turns, so that whatever else happens on the machine happens to both; the second finds the
  // view in the processor's cache.
  for (int i = 0; i < kQuestions * input.sizes.questions; ++i) {
    books.ReplaceOnePod();
    const ClusterViewPtr view = books.View();
    const Pod& pod = pods[i % pods.size()];
    (i % 2 == 0 ? plain : logged).Answer(view, pod);
    (i % 2 == 0 ? logged : plain).Answer(view, pod);
  }
  const std::string at = absl::StrCat("_at_", nodes, "_nodes");
  report.Add("answer_ms" + at, plain.times().Milliseconds(0.5));
  report.Add("answer_logged_ms" + at, logged.times().Milliseconds(0.5));
  report.Add("decisions_dropped" + at, dropped.Value());
  report.AddRatio("answer_logged_ratio" + at, "answer_logged_ms" + at, "answer_ms" + at);
}

}  // namespace

Status MeasureDecisions(const BenchInput& input, Report& report) {
  report.Section("What the decision log adds to an answer (fgd-bestfit, medians)");
  for (const size_t nodes : {input.sizes.episode_nodes, input.sizes.nodes}) {
    MeasureAt(nodes, input, report);
  }
  return {};
}

}  // namespace berth
