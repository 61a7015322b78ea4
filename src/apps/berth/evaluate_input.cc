#include "apps/berth/evaluate_input.h"

#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <utility>

#include "apps/berth/data_path.h"
#include "apps/berth/seed_list.h"
#include "apps/berth/skipped_rows.h"
#include "cluster/profile_file.h"
#include "sim/mix_trace.h"
#include "sim/openb_nodes.h"
#include "sim/openb_suite.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

Result<std::vector<NodeSpec>> ReadNodes(const EvaluateOptions& options) {
  if (options.nodes.empty()) return OpenbNodes(GpuAccounting::kManaged);
  return ListingSkipped(options.skip_bad_rows, [&](std::vector<Status>* skipped) {
    return ReadOpenbNodes(options.nodes, skipped);
  });
}

Result<WorkloadProfilePtr> ReadProfile(std::string_view option, const std::string& name) {
  const Result<fs::path> path = FindData(name, ProgramDirectory());
  if (!path.ok()) {
    return Status(path.status().code(),
                  fmt::format("{} {}: {}", option, name, std::string(path.status().message())));
  }
  Result<WorkloadProfile> profile = LoadProfile(path->string());
  if (!profile.ok()) return profile.status();
  return std::make_shared<const WorkloadProfile>(*std::move(profile));
}

Result<Trace> ReadMix(const EvaluateOptions& options) {
  Result<WorkloadProfilePtr> profile = ReadProfile("--mix", options.mix);
  if (!profile.ok()) return profile.status();
  Result<std::vector<NodeSpec>> nodes = ReadNodes(options);
  if (!nodes.ok()) return nodes.status();
  return MixTrace(*std::move(nodes), *std::move(profile));
}

}  // namespace

Status TellProfile(const EvaluateOptions& options, std::span<Trace* const> traces) {
  if (options.profile == "oracle") return absl::OkStatus();
  WorkloadProfilePtr told =
      std::make_shared<const WorkloadProfile>("none", std::span<ClassCount>());
  const bool online = options.profile == "online";
  if (!online) {
    Result<WorkloadProfilePtr> read = ReadProfile("--profile", options.profile);
    if (!read.ok()) return read.status();
    told = *std::move(read);
  }
  for (Trace* trace : traces) {
    trace->profile = told;
    trace->online = online;
  }
  return absl::OkStatus();
}

Result<fs::path> OpenbDirectory(const std::string& option, std::string_view name) {
  if (!option.empty()) return option;
  if (const char* const traces = std::getenv("BERTH_TRACES"))
    return fs::path(traces) / "openb" / name;
  return absl::InvalidArgumentError(fmt::format(
      "say where the benchmark lies: --{} DIR, or BERTH_TRACES=DIR for DIR/openb/{}", name, name));
}

Result<std::vector<SeededTrace>> ReadSuite(const EvaluateOptions& options) {
  const Result<std::vector<uint64_t>> seeds =
      ParseSeeds(options.seeds.empty() ? "42-51" : options.seeds);
  if (!seeds.ok()) return seeds.status();
  std::vector<std::string> names = options.traces;
  if (names.empty()) names.assign(OpenbTraceNames().begin(), OpenbTraceNames().end());
  const Result<fs::path> orders = OpenbDirectory(options.orders, "orders");
  if (!orders.ok()) return orders.status();
  return ReadOpenbSuite(*orders, names, *seeds);
}

Result<std::vector<SeededTrace>> ReadOwn(const EvaluateOptions& options) {
  const Result<std::vector<uint64_t>> seeds =
      ParseSeeds(options.seeds.empty() ? "9001-9005" : options.seeds);
  if (!seeds.ok()) return seeds.status();
  if (options.mix.empty()) {
    return ListingSkipped(options.skip_bad_rows, [&](std::vector<Status>* skipped) {
      return DrawTraces(options.nodes, options.pods, *seeds, skipped);
    });
  }
  Result<Trace> trace = ReadMix(options);
  if (!trace.ok()) return trace.status();
  const std::string name = trace->profile->version();
  return std::vector<SeededTrace>{DrawOrders(name, *std::move(trace), *seeds)};
}

Result<Trace> ReadLivingTrace(EvaluateOptions options) {
  if (options.pods.empty()) {
    if (options.mix.empty()) options.mix = "policies/profiles/openb-default.json";
    return ReadMix(options);
  }
  if (options.pods.size() != 1) {
    return absl::InvalidArgumentError("--suite living takes one pod list: --pods FILE once");
  }
  Result<std::vector<SeededTrace>> traces = ReadOwn(options);
  if (!traces.ok()) return traces.status();
  return std::move(traces->front().trace);
}

}  // namespace berth
