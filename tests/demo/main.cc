// berth-demo: see Berth at work without a cluster. `make demo` runs it.

#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <semaphore>
#include <stop_token>
#include <thread>

#include "base/stop_signals.h"
#include "cluster/profile_file.h"
#include "demo/options.h"
#include "demo/progress.h"
#include "demo/report.h"
#include "demo/run.h"
#include "demo/workload.h"
#include "sim/openb_nodes.h"

namespace berth {
namespace {

constexpr int kInterrupted = 130;  // as a shell reports a Ctrl-C

constexpr char kWhatNext[] = R"(
What to try next:
  build/release/bin/berth-demo --policies fgd,best-fit,first-fit --seed 7
  build/release/bin/berth serve --help       the scoring service, and the policies it can load
  make e2e                                   the same through a real kube-scheduler and API server
)";

void Introduce(const DemoOptions& options, std::span<const NodeSpec> nodes,
               std::span<const Pod> running, std::span<const Pod> pods) {
  const MilliGpu free = TotalGpu(nodes) - TotalGpu(running);
  std::printf(
      "%s nodes with %s GPUs (shapes of Alibaba's GPU trace 2023, openb). Two nodes of three are\n"
      "taken already. %s pods arrive one by one and ask for %.0f %% of the free GPUs (the trace's\n"
      "mix of pods, drawn with seed %llu; 2 GiB per core).\n"
      "Each is decided by the real berth-extender and `berth serve` and bound at an API server in\n"
      "this program, in the role of kube-scheduler. Same pods for each policy.\n\n",
      WithCommas(nodes.size()).c_str(),
      WithCommas(static_cast<size_t>(TotalGpu(nodes).value() / 1000)).c_str(),
      WithCommas(pods.size()).c_str(),
      100.0 * static_cast<double>(TotalGpu(pods).value()) / static_cast<double>(free.value()),
      static_cast<unsigned long long>(options.seed));
  std::fflush(stdout);
}

void Hold(const std::string& service, int extender_port, const std::stop_token& stop) {
  std::printf(
      "\nEverything stays up until Ctrl-C:\n"
      "  scoring service  %s\n"
      "  extender         http://127.0.0.1:%d\n",
      service.c_str(), extender_port);
  std::fflush(stdout);
  std::binary_semaphore stopped(0);
  const std::stop_callback on_stop(stop, [&] { stopped.release(); });
  stopped.acquire();
}

Result<RunResult> RunWithProgress(const RunInput& fixed, const std::string& policy,
                                  const std::stop_token& stop) {
  const std::string title = policy.empty() ? "Berth" : policy;
  Progress progress(stdout, isatty(STDOUT_FILENO) != 0, title, fixed.pods.size());
  RunInput input = fixed;
  input.policy = policy;
  input.on_progress = [&](size_t done, double allocated) {
    progress.Show(done, allocated, std::chrono::steady_clock::now());
  };
  return RunPolicy(input, stop);
}

Result<std::vector<RunResult>> RunAll(const DemoOptions& options, const WorkloadProfile& profile,
                                      const std::stop_token& stop) {
  const std::vector<NodeSpec> nodes = SomeOf(OpenbNodes(GpuAccounting::kManaged), options.nodes);
  Rng rng(options.seed);
  const size_t limit = options.pods > 0 ? options.pods : std::numeric_limits<size_t>::max();
  const std::vector<Pod> running = RunningPods(nodes);
  const std::vector<Pod> pods = DrawPods(profile, TotalGpu(nodes) - TotalGpu(running), limit, rng);
  Introduce(options, nodes, running, pods);

  RunInput input{.bin = std::filesystem::read_symlink("/proc/self/exe").parent_path(),
                 .policy = "",
                 .decision_log = options.decision_log,
                 .nodes = nodes,
                 .running = running,
                 .pods = pods,
                 .profile = profile,
                 .on_progress = nullptr,
                 .on_decided = nullptr};
  std::vector<RunResult> results;
  for (const std::string& policy : options.policies) {
    if (options.hold) {
      input.on_decided = [&](const std::string& service, int extender_port) {
        Hold(service, extender_port, stop);
      };
    }
    Result<RunResult> result = RunWithProgress(input, policy, stop);
    if (!result.ok()) return result.status();
    results.push_back(*std::move(result));
  }
  std::printf("%s", Report(results, pods.size()).c_str());
  return results;
}

int Main(int argc, char** argv) {
  const StopSignals signals;
  const DemoOptions options =
      ParseDemoOptions(argc, argv, OpenbNodes(GpuAccounting::kManaged).size());
  std::stop_source stop;
  std::thread([signals, stop]() mutable {
    signals.Wait();
    stop.request_stop();
  }).detach();

  const Result<WorkloadProfile> profile =
      LoadProfile(BERTH_SOURCE_DIR "/policies/profiles/openb-default.json");
  Status status = profile.status();
  if (status.ok()) status = RunAll(options, *profile, stop.get_token()).status();
  if (status.ok()) {
    std::printf("%s", kWhatNext);
    return EXIT_SUCCESS;
  }
  std::fprintf(stderr, "\nberth-demo: %s\n", std::string(status.message()).c_str());
  return absl::IsCancelled(status) ? kInterrupted : EXIT_FAILURE;
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) { return berth::Main(argc, argv); }
