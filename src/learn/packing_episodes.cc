#include "learn/packing_episodes.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

#include "base/check.h"
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
  Result<Answer> Score(const ScoreRequest& request, std::span<float> scores) const override {
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

PackingEpisodes::PackingEpisodes(std::vector<SeededTrace> traces, PackingJudgement judgement)
    : traces_(std::move(traces)), judgement_(std::move(judgement)), fgd_(traces_.size()) {
  for (SeededTrace& trace : traces_) {
    BERTH_CHECK(trace.seeds.size() == orders(), "every list has as many orders");
    for (SeededTrace::Seed& seed : trace.seeds) {
      seed.order = Until(LastLoad(judgement_), seed.order, trace.trace);
    }
  }
}

Result<std::unique_ptr<PackingEpisodes>> PackingEpisodes::Make(std::vector<SeededTrace> traces,
                                                               PackingJudgement judgement,
                                                               int threads) {
  std::unique_ptr<PackingEpisodes> episodes(
      new PackingEpisodes(std::move(traces), std::move(judgement)));
  const Result<SimPolicy> fgd = FindSimPolicy("fgd");
  std::vector<size_t> numbers(episodes->lists() * episodes->orders());
  std::iota(numbers.begin(), numbers.end(), 0);
  auto results = InParallel(numbers, {.threads = threads}, [&](size_t number) {
    return episodes->Run(*fgd, number / episodes->orders(), number % episodes->orders());
  });
  if (!results.ok()) return results.status();
  for (const size_t number : numbers) {
    episodes->fgd_[number / episodes->orders()].push_back(std::move((*results)[number]));
  }
  return episodes;
}

Result<double> PackingEpisodes::Play(std::shared_ptr<const LearnedPolicy> policy, size_t list,
                                     size_t order) const {
  const auto allocated = Run(Simulated(std::move(policy)), list, order);
  if (!allocated.ok()) return allocated.status();
  return judgement_.Points(*allocated, fgd(list, order));
}

Status PackingEpisodes::Show(const SimPolicy& policy, size_t list, size_t order) const {
  return Run(policy, list, order).status();
}

Result<std::vector<double>> PackingEpisodes::Run(const SimPolicy& policy, size_t list,
                                                 size_t order) const {
  const SeededTrace::Seed& seed = traces_[list].seeds[order];
  Rng rng(seed.seed);
  const Result<PackingResult> run = RunPacking(policy, traces_[list].trace, seed.order, rng);
  if (!run.ok()) return run.status();
  return AtLoads(run->curve, judgement_);
}

Result<FeatureScales> MeasureScales(const PackingEpisodes& episodes) {
  Watched::Spreads spreads;
  const SimPolicy watched{.name = "watched", .make = [&](const SimCluster&) {
                            return std::make_shared<Watched>(spreads);
                          }};
  for (size_t list = 0; list < episodes.lists(); ++list) {
    const SeededTrace& trace = episodes.trace(list);
    Rng rng(trace.seeds.front().seed);
    const auto run = RunPacking(watched, trace.trace, trace.seeds.front().order, rng);
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
