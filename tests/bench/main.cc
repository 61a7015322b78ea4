#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstdlib>
#include <thread>

#include "base/version.h"
#include "bench/sections.h"
#include "cluster/profile_file.h"

namespace berth {
namespace {

constexpr char kExamples[] = R"(
Examples:
  Everything, in about three minutes:
    berth-bench --report build/bench/report.json
  Only one part of it:
    berth-bench --only parts
  See that it still runs, in seconds (the numbers mean nothing):
    berth-bench --smoke)";

struct BenchOptions {
  std::string report = "build/bench/report.json";
  std::string only;
  bool smoke = false;
};

Status Measure(const BenchOptions& options, Report& report) {
  Result<WorkloadProfile> profile =
      LoadProfile(BERTH_SOURCE_DIR "/policies/profiles/openb-default.json");
  if (!profile.ok()) return profile.status();
  const BenchSizes sizes = options.smoke ? SmokeSizes() : BenchSizes();
  const auto mix = std::make_shared<const WorkloadProfile>(*std::move(profile));

  report.Section("The cluster");
  Rng rng(1);
  const BusyCluster cluster =
      MakeBusyCluster(*mix, sizes.nodes, sizes.nodes * sizes.pods_per_node, rng);
  report.Add("commit", std::string(Commit()));
  report.Add("processors", std::thread::hardware_concurrency());
  report.Add("nodes", static_cast<double>(cluster.nodes.size()));
  report.Add("pods", static_cast<double>(cluster.pods.size()));
  report.Add("gpu_load_ratio", cluster.gpu_load);
  report.Add("distinct_node_states", static_cast<double>(cluster.states));

  const BenchInput input{.sizes = sizes, .bin = BERTH_BIN_DIR, .profile = mix, .cluster = cluster};
  Status status;
  const auto run = [&](const std::string& name, auto section) {
    if (status.ok() && (options.only.empty() || options.only == name)) {
      status = section(input, report);
    }
  };
  run("parts", MeasureParts);
  run("decisions", MeasureDecisions);
  run("guards", MeasureGuards);
  run("learned", MeasureLearned);
  run("feed", MeasureFeed);
  run("programs", MeasurePrograms);
  return status;
}

int Main(int argc, char** argv) {
  BenchOptions options;
  CLI::App app("How fast and how large Berth is, at 5,000 nodes of 8 GPUs with 40,000 pods.\n");
  app.footer(kExamples);
  app.add_option("--report", options.report, "Where to write the numbers, as JSON")
      ->type_name("FILE")
      ->capture_default_str();
  app.add_option("--only", options.only, "Leave out the other parts")
      ->check(CLI::IsMember({"parts", "decisions", "guards", "learned", "feed", "programs"}));
  app.add_flag("--smoke", options.smoke, "Tiny sizes");
  CLI11_PARSE(app, argc, argv);

  Report report;
  Status status = Measure(options, report);
  if (status.ok()) status = report.Write(options.report);
  if (status.ok()) {
    std::printf("\nWritten to %s; docs/performance.md explains the numbers.\n",
                options.report.c_str());
    return EXIT_SUCCESS;
  }
  std::fprintf(stderr, "\nberth-bench: %s\n", std::string(status.message()).c_str());
  return EXIT_FAILURE;
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) { return berth::Main(argc, argv); }
