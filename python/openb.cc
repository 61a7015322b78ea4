#include "openb.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <utility>

#include "sim/openb_suite.h"
#include "sim/packing_run.h"

namespace berth {
namespace {

float Part(int64_t of, double whole) { return static_cast<float>(static_cast<double>(of) / whole); }

std::vector<double> PointsOf(const InflationCurve& curve) {
  std::vector<double> points;
  for (size_t percent = 0; percent < InflationCurve::kPoints; ++percent) {
    points.push_back(curve.At(percent).value_or(std::numeric_limits<double>::quiet_NaN()));
  }
  return points;
}

EventOrder DrawOrder(const Trace& trace, uint64_t seed) {
  Rng rng(seed);
  return DrawEventOrder(trace.nodes, trace.pods, rng);
}

}  // namespace

Result<Openb> Openb::Read(const std::string& nodes, const std::string& pods) {
  Result<std::vector<SeededTrace>> traces = DrawTraces(nodes, {&pods, 1}, {}, nullptr);
  if (!traces.ok()) return traces.status();
  return Openb(std::move(traces->front().trace));
}

Openb::Openb(Trace trace) : trace_(std::make_unique<const Trace>(std::move(trace))) {
  for (const NodeSpec& node : trace_->nodes) {
    most_gpus_ = std::max(most_gpus_, static_cast<size_t>(node.gpus));
    most_cpu_ = std::max(most_cpu_, static_cast<double>(node.cpu.value()));
  }
  of_nodes_.resize(nodes() * NumbersOfNode());
  Restart(0);
}

void Openb::Restart(uint64_t seed) {
  order_ = DrawOrder(*trace_, seed);
  packing_.emplace(*trace_, order_);
  for (size_t node = 0; node < nodes(); ++node) LookAt(node);
}

Outcome Openb::Place(size_t node) {
  const SteppedPacking::Outcome outcome = packing_->Place(node);
  LookAt(node);
  const double milli = static_cast<double>(most_gpus_) * kWholeGpu.value();
  return {.placed = static_cast<double>(outcome.placed.value()) / milli,
          .left_out = static_cast<double>(outcome.left_out.value()) / milli,
          .fragmentation = outcome.fragmentation / milli};
}

void Openb::LookAt(size_t number) {
  const FreeState& free = packing_->cluster().nodes()[number].free;
  const std::span<float> numbers =
      std::span(of_nodes_).subspan(number * NumbersOfNode(), NumbersOfNode());
  numbers[0] = Part(free.cpu.value(), most_cpu_);
  const std::span<float> gpus = numbers.subspan(1);
  for (size_t gpu = 0; gpu < free.gpus.size(); ++gpu) {
    gpus[gpu] = Part(free.gpus[gpu].value(), kWholeGpu.value());
  }
  std::ranges::sort(gpus, std::greater());
}

void Openb::Observe(std::span<float> numbers, std::span<int8_t> mask) const {
  std::ranges::copy(packing_->who_can_take_it(), mask.begin());
  std::ranges::copy(of_nodes_, numbers.begin());
  const std::span<float> job = numbers.last(kNumbersOfJob);
  std::ranges::fill(job, 0);
  const Demand* demand = packing_->waiting();
  if (demand == nullptr) return;
  job[0] = Part(demand->cpu.value(), most_cpu_);
  job[1] = Part(demand->gpus, static_cast<double>(most_gpus_));
  job[2] = Part(demand->per_gpu.value(), kWholeGpu.value());
}

std::vector<double> Openb::Curve() const { return PointsOf(packing_->curve()); }

Result<std::vector<double>> Openb::CurveOf(const std::string& policy, uint64_t seed) const {
  const Result<SimPolicy> found = FindSimPolicy(policy);
  if (!found.ok()) return found.status();
  Rng rng(seed);
  const Result<PackingResult> run = RunPacking(*found, *trace_, DrawOrder(*trace_, seed), rng);
  if (!run.ok()) return run.status();
  return PointsOf(run->curve);
}

}  // namespace berth
