#include "sim/living_workload.h"

#include <cmath>

#include "sim/draw.h"

namespace berth {
namespace {

constexpr SimTime kMeanLifetime = std::chrono::hours(1);  // any: only ratios of times matter

// Exponentially distributed, rounded to whole microseconds, at least one.
SimTime DrawExponential(Rng& rng, double mean_microseconds) {
  constexpr double kTwoTo53 = 9'007'199'254'740'992.0;
  const double uniform = (static_cast<double>(rng() >> 11) + 0.5) / kTwoTo53;  // in (0, 1)
  return SimTime(std::max<int64_t>(1, std::llround(-std::log(uniform) * mean_microseconds)));
}

// Mean time between arrivals.
double MicrosecondsBetween(const Trace& trace, double load) {
  double capacity = 0, demand = 0;
  for (const NodeSpec& node : trace.nodes) capacity += node.gpus * kWholeGpu.value();
  for (const TracePod& pod : trace.pods) demand += pod.demand.TotalGpu().value();
  const double mean_demand = demand / static_cast<double>(trace.pods.size());
  return mean_demand * static_cast<double>(kMeanLifetime.count()) / (load * capacity);
}

}  // namespace

LivingWorkload DrawLivingWorkload(const Trace& trace, double load, Rng& rng,
                                  const LivingSpan& span) {
  LivingWorkload workload{.mean_lifetime = kMeanLifetime,
                          .warm_up = span.warm_up * kMeanLifetime,
                          .horizon = span.length * kMeanLifetime};
  const double between = MicrosecondsBetween(trace, load);
  for (SimTime now = DrawExponential(rng, between); now < workload.horizon;
       now += DrawExponential(rng, between)) {
    const SimTime runs = DrawExponential(rng, static_cast<double>(kMeanLifetime.count()));
    const auto pod = static_cast<uint32_t>(DrawBelow(rng, trace.pods.size()));
    workload.jobs.push_back({now, runs, pod});
  }
  return workload;
}

}  // namespace berth
