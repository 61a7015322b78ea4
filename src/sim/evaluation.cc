#include "sim/evaluation.h"

#include <fmt/format.h>

#include <utility>

#include "sim/in_parallel.h"

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
                                           const std::vector<SeededTrace>& traces,
                                           const Parallel& parallel) {
  return InParallel(AllJobs(policies, traces), parallel, Run);
}

}  // namespace berth
