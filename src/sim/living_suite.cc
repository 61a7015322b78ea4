#include "sim/living_suite.h"

#include <fmt/format.h>

#include "sim/in_parallel.h"

namespace berth {
namespace {

constexpr LivingSetting kSettings[] = {{kFifo, 0.8},     {kFifo, 0.95},     {kFifo, 1},
                                       {kBackfill, 0.8}, {kBackfill, 0.95}, {kBackfill, 1}};

struct SettingRun {
  const SimPolicy& policy;
  const LivingSetting& setting;
  uint64_t seed;
};

}  // namespace

std::span<const LivingSetting> LivingSettings() { return kSettings; }

Result<std::vector<LivingSuiteRun>> RunLivingSuite(const std::vector<SimPolicy>& policies,
                                                   const Trace& trace,
                                                   std::span<const uint64_t> seeds,
                                                   const Parallel& parallel) {
  std::vector<SettingRun> jobs;
  for (const LivingSetting& setting : kSettings) {
    for (const SimPolicy& policy : policies) {
      for (const uint64_t seed : seeds) jobs.push_back({policy, setting, seed});
    }
  }
  return InParallel(jobs, parallel, [&trace](const SettingRun& job) -> Result<LivingSuiteRun> {
    Rng draws(job.seed), chance(job.seed);
    const LivingWorkload workload =
        DrawLivingWorkload(trace, job.setting.load, draws, kLivingSuiteSpan);
    const auto result = RunLiving(job.policy, trace, workload, job.setting.queue, chance);
    if (result.ok()) return LivingSuiteRun{job.policy, job.setting, job.seed, *result};
    return Status(
        result.status().code(),
        fmt::format("{}, {} at load {}, seed {}: {}", job.policy.name, job.setting.queue.name,
                    job.setting.load, job.seed, std::string(result.status().message())));
  });
}

}  // namespace berth
