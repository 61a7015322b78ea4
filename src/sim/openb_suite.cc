#include "sim/openb_suite.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "base/log.h"
#include "sim/openb_lists.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTraceNames[] = {
    "default",    "cpu050",     "cpu100",      "cpu200",     "cpu250",    "gpushare40",
    "gpushare60", "gpushare80", "gpushare100", "gpuspec10",  "gpuspec20", "gpuspec25",
    "gpuspec33",  "multigpu20", "multigpu30",  "multigpu40", "multigpu50"};

constexpr std::string_view kPodListPrefix = "openb_pod_list_";

std::string TraceName(const fs::path& pods) {
  std::string name = pods.stem().string();
  if (name.starts_with(kPodListPrefix)) name.erase(0, kPodListPrefix.size());
  return name;
}

Result<SeededTrace> ReadTrace(const std::vector<NodeSpec>& nodes, const fs::path& path,
                              std::vector<Status>* skipped) {
  Result<std::vector<TracePod>> pods = ReadOpenbPods(path, nodes, skipped);
  if (!pods.ok()) return pods.status();
  SeededTrace trace{.name = TraceName(path)};
  trace.trace = {.nodes = nodes, .pods = *std::move(pods)};
  trace.trace.profile = ProfileOf(trace.trace.pods, trace.name);
  return trace;
}

Status CheckName(std::string_view trace) {
  if (std::ranges::find(kTraceNames, trace) != std::end(kTraceNames)) return absl::OkStatus();
  return absl::NotFoundError(fmt::format("no trace of openb is called {}; there are {}",
                                         Quoted(trace), fmt::join(kTraceNames, ", ")));
}

Result<SeededTrace> ReadOpenbTrace(const std::vector<NodeSpec>& nodes, const fs::path& orders,
                                   const std::string& name, std::span<const uint64_t> seeds) {
  if (Status known = CheckName(name); !known.ok()) return known;
  const fs::path pods = orders / ".." / fmt::format("{}{}.csv", kPodListPrefix, name);
  Result<SeededTrace> trace = ReadTrace(nodes, pods.lexically_normal(), nullptr);
  if (!trace.ok()) return trace;
  for (const uint64_t seed : seeds) {
    Result<EventOrder> order =
        ReadEventOrder(orders, name, seed, trace->trace.pods.size(), nodes.size());
    if (!order.ok()) return order.status();
    trace->seeds.push_back({seed, *std::move(order)});
  }
  return trace;
}

}  // namespace

std::span<const std::string_view> OpenbTraceNames() { return kTraceNames; }

Result<std::vector<SeededTrace>> ReadOpenbSuite(const fs::path& orders,
                                                std::span<const std::string> traces,
                                                std::span<const uint64_t> seeds) {
  const fs::path node_list = orders / ".." / "openb_node_list_gpu_node.csv";
  const Result<std::vector<NodeSpec>> nodes = ReadOpenbNodes(node_list.lexically_normal());
  if (!nodes.ok()) return nodes.status();
  std::vector<SeededTrace> suite;
  for (const std::string& name : traces) {
    Result<SeededTrace> trace = ReadOpenbTrace(*nodes, orders, name, seeds);
    if (!trace.ok()) return trace.status();
    suite.push_back(*std::move(trace));
  }
  return suite;
}

SeededTrace DrawOrders(std::string name, Trace trace, std::span<const uint64_t> seeds) {
  SeededTrace drawn{.name = std::move(name), .trace = std::move(trace)};
  for (const uint64_t seed : seeds) {
    Rng rng(seed);
    drawn.seeds.push_back({seed, DrawEventOrder(drawn.trace.nodes, drawn.trace.pods, rng)});
  }
  return drawn;
}

Result<std::vector<SeededTrace>> DrawTraces(const fs::path& nodes,
                                            std::span<const std::string> pods,
                                            std::span<const uint64_t> seeds,
                                            std::vector<Status>* skipped) {
  const Result<std::vector<NodeSpec>> specs = ReadOpenbNodes(nodes, skipped);
  if (!specs.ok()) return specs.status();
  std::vector<SeededTrace> traces;
  for (const std::string& path : pods) {
    Result<SeededTrace> trace = ReadTrace(*specs, path, skipped);
    if (!trace.ok()) return trace.status();
    if (Status sound = CheckPlayable(trace->trace, nodes.string(), path); !sound.ok()) return sound;
    traces.push_back(DrawOrders(trace->name, std::move(trace->trace), seeds));
  }
  return traces;
}

}  // namespace berth
