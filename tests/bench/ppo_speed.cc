// Steps per second of PPO on the toy cluster, collection and update included, on one thread: beside
// python/examples/speed.py, which measures Stable-Baselines3's with the same hyperparameters and
// prints the same lines.

#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <limits>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench/times.h"
#include "ppo/ppo.h"
#include "ppo/toy_environment.h"

namespace berth {
namespace {

constexpr size_t kStepsToTime = 163'840;

PpoSettings SettingsFor(size_t environments) {
  PpoSettings settings;
  settings.updates = 1 + kStepsToTime / (settings.steps * environments);
  // Never stops an update early, so that it takes as many steps down the gradient as any other.
  settings.most_divergence = std::numeric_limits<double>::infinity();
  return settings;
}

// After one update that nobody times.
Status Measure(size_t environments) {
  std::vector<std::unique_ptr<Environment>> toys;
  for (size_t i = 0; i < environments; ++i) toys.push_back(MakeToyEnvironment());
  const PpoSettings settings = SettingsFor(environments);
  Ppo ppo(settings, std::move(toys), 1);
  Result<PpoReport> report = ppo.Update();
  const Stopwatch::time_point begin = Stopwatch::now();
  const std::clock_t cpu = std::clock();
  while (report.ok() && report->updates < settings.updates) report = ppo.Update();
  const double cpu_seconds = static_cast<double>(std::clock() - cpu) / CLOCKS_PER_SEC;
  const double seconds = SecondsSince(begin);
  if (!report.ok()) return report.status();
  std::printf("%zu environments: %.0f steps/s, %.0f of processor time\n", environments,
              kStepsToTime / seconds, kStepsToTime / cpu_seconds);
  return absl::OkStatus();
}

}  // namespace
}  // namespace berth

int main() {
  for (const size_t environments : {1, 8}) {
    if (const berth::Status status = berth::Measure(environments); !status.ok()) {
      std::fprintf(stderr, "berth-ppo-speed: %s\n", std::string(status.message()).c_str());
      return EXIT_FAILURE;
    }
  }
}
