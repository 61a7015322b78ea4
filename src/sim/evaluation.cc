#include "sim/evaluation.h"

#include <fmt/format.h>

#include <atomic>
#include <optional>
#include <thread>
#include <utility>

namespace berth {
namespace {

struct Job {
  const SimPolicy& policy;
  const SeededTrace& trace;
  const SeededTrace::Seed& seed;
};

std::vector<Job> AllJobs(const std::vector<SimPolicy>& policies,
                         const std::vector<SeededTrace>& traces) {
  std::vector<Job> jobs;
  for (const SeededTrace& trace : traces) {
    for (const SimPolicy& policy : policies) {
      for (const SeededTrace::Seed& seed : trace.seeds) jobs.push_back({policy, trace, seed});
    }
  }
  return jobs;
}

Result<EvaluatedRun> Run(const Job& job) {
  Rng rng(job.seed.seed);
  Result<PackingResult> result = RunPacking(job.policy, job.trace.trace, job.seed.order, rng);
  if (!result.ok()) {
    return Status(result.status().code(),
                  fmt::format("{} on {}, seed {}: {}", job.policy.name, job.trace.name,
                              job.seed.seed, std::string(result.status().message())));
  }
  return EvaluatedRun{job.policy, job.trace.name, job.seed.seed, *std::move(result)};
}

}  // namespace

Result<std::vector<EvaluatedRun>> Evaluate(const std::vector<SimPolicy>& policies,
                                           const std::vector<SeededTrace>& traces, int threads) {
  const std::vector<Job> jobs = AllJobs(policies, traces);
  std::vector<std::optional<Result<EvaluatedRun>>> results(jobs.size());
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < jobs.size(); i = next++) results[i].emplace(Run(jobs[i]));
  };
  {
    std::vector<std::jthread> workers;
    for (int i = 0; i < threads; ++i) workers.emplace_back(work);
  }
  std::vector<EvaluatedRun> runs;
  for (std::optional<Result<EvaluatedRun>>& result : results) {
    if (!result->ok()) return result->status();
    runs.push_back(*std::move(*result));
  }
  return runs;
}

}  // namespace berth
