#include "learn/packing_episodes.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "learn/learned_sim_policy.h"
#include "policy/heuristics.h"
#include "sim/in_parallel.h"

namespace berth {
namespace {

constexpr size_t kAllAsked = 100;

size_t LastLoad(const PackingJudgement& judgement) {
  size_t last = kAllAsked;
  for (const size_t load : judgement.loads) last = std::max(last, load);
  return last;
}

// The order up to where that percent of the GPUs have been asked for, and a little more, since an
// InflationCurve shows the mean around each percent.
EventOrder Until(size_t percent, const EventOrder& order, const Trace& trace) {
  MilliGpu capacity, arrived;
  for (const NodeSpec& node : trace.nodes) capacity += kWholeGpu * node.gpus;
  EventOrder cut{.arrivals = {}, .node_rank = order.node_rank};
  for (const uint32_t pod : order.arrivals) {
    if (arrived * 100 > capacity * static_cast<int64_t>(percent + 1)) break;
    cut.arrivals.push_back(pod);
    arrived += trace.pods[pod].demand.TotalGpu();
  }
  return cut;
}

// Between two points where no arrival rounded to the percent itself.
double AllocatedAt(const InflationCurve& curve, size_t percent) {
  for (size_t off = 0; off < percent; ++off) {
    if (const auto below = curve.At(percent - off)) return *below;
  }
  return 0;
}

std::vector<double> AtLoads(const InflationCurve& curve, const PackingJudgement& judgement) {
  std::vector<double> allocated;
  for (const size_t load : judgement.loads) allocated.push_back(AllocatedAt(curve, load));
  allocated.push_back(AllocatedAt(curve, kAllAsked));
  return allocated;
}

Result<std::vector<double>> Run(const SimPolicy& policy, const PackingEpisodes& episodes,
                                size_t order, const PackingJudgement& judgement) {
  const SeededTrace::Seed& seed = episodes.trace.seeds[order];
  Rng rng(seed.seed);
  const Result<PackingResult> run = RunPacking(policy, episodes.trace.trace, seed.order, rng);
  if (!run.ok()) return run.status();
  return AtLoads(run->curve, judgement);
}

struct Job {
  size_t trace;
  size_t order;
};

// Sums up how a number varies.
class Spread {
 public:
  void Add(double value) {
    ++count_;
    const double off = value - mean_;
    mean_ += off / count_;
    squares_ += off * (value - mean_);
  }
  double Deviation() const { return count_ > 1 ? std::sqrt(squares_ / count_) : 0; }

 private:
  double count_ = 0, mean_ = 0, squares_ = 0;
};

// Looks at every placement that FGD + best-fit makes.
class Watched final : public Scorer {
 public:
  struct Spreads {
    std::array<Spread, kStateFeatures> after, change;
  };

  explicit Watched(Spreads& spreads) : inner_(MakeFgdBestFit()), spreads_(spreads) {}

  std::string_view name() const override { return inner_->name(); }
  Result<std::string_view> Score(const ScoreRequest& request,
                                 std::span<float> scores) const override {
    return inner_->Score(request, scores);
  }
  GpuSet ChooseGpus(const Node& node, const Demand& demand,
                    const WorkloadProfile& profile) const override {
    GpuSet gpus = inner_->ChooseGpus(node, demand, profile);
    const StateFeatures before = FeaturesOf(*node.spec, node.free, profile);
    const StateFeatures after =
        FeaturesOf(*node.spec, AfterPlacing(node.free, demand, gpus), profile);
    for (size_t i = 0; i < kStateFeatures; ++i) {
      spreads_.after[i].Add(after[i]);
      spreads_.change[i].Add(after[i] - before[i]);
    }
    return gpus;
  }

 private:
  const ScorerPtr inner_;
  Spreads& spreads_;
};

}  // namespace

double PackingJudgement::Points(std::span<const double> policy, std::span<const double> fgd) const {
  double points = policy.back() - fgd.back();
  for (size_t i = 0; i < loads.size(); ++i) {
    points -= loss_weight * std::max(0.0, fgd[i] - policy[i] - margin);
  }
  return points;
}

Result<std::vector<PackingEpisodes>> MakePackingEpisodes(std::vector<SeededTrace> traces,
                                                         const PackingJudgement& judgement,
                                                         int threads) {
  std::vector<PackingEpisodes> all;
  std::vector<Job> jobs;
  for (SeededTrace& trace : traces) {
    for (size_t order = 0; order < trace.seeds.size(); ++order) {
      trace.seeds[order].order = Until(LastLoad(judgement), trace.seeds[order].order, trace.trace);
      jobs.push_back({all.size(), order});
    }
    all.push_back({std::move(trace), {}});
  }
  const Result<SimPolicy> fgd = FindSimPolicy("fgd");
  const auto run = [&](const Job& job) { return Run(*fgd, all[job.trace], job.order, judgement); };
  auto results = InParallel(jobs, {.threads = threads}, run);
  if (!results.ok()) return results.status();
  for (size_t i = 0; i < jobs.size(); ++i) all[jobs[i].trace].fgd.push_back((*results)[i]);
  return all;
}

Result<double> PlayPacking(std::shared_ptr<const LearnedPolicy> policy,
                           const PackingEpisodes& episodes, size_t order,
                           const PackingJudgement& judgement) {
  const auto allocated = Run(Simulated(std::move(policy)), episodes, order, judgement);
  if (!allocated.ok()) return allocated.status();
  return judgement.Points(*allocated, episodes.fgd[order]);
}

Result<FeatureScales> MeasureScales(std::span<const PackingEpisodes> episodes) {
  Watched::Spreads spreads;
  const SimPolicy watched{.name = "watched", .make = [&](const SimCluster&) {
                            return std::make_shared<Watched>(spreads);
                          }};
  for (const PackingEpisodes& of_trace : episodes) {
    const auto run = Run(watched, of_trace, 0, {});
    if (!run.ok()) return run.status();
  }
  FeatureScales scales;
  for (size_t i = 0; i < kStateFeatures; ++i) {
    scales.after[i] = spreads.after[i].Deviation();
    scales.change[i] = spreads.change[i].Deviation();
  }
  return scales;
}

}  // namespace berth
