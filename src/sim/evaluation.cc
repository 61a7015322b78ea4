#include "sim/evaluation.h"

#include <fmt/format.h>

#include <utility>

#include "policy/heuristics.h"
#include "sim/in_parallel.h"

namespace berth {
namespace {

struct Job {
  const SimPolicy& policy;
  const SeededTrace& trace;
  const SeededTrace::Seed& seed;

  bool HasFirstSeed() const { return &seed == &trace.seeds.front(); }
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

Result<EvaluatedRun> ResultOf(const Job& job, Result<PackingResult> result) {
  if (!result.ok()) {
    return Status(result.status().code(),
                  fmt::format("{} on {}, seed {}: {}", job.policy.name, job.trace.name,
                              job.seed.seed, std::string(result.status().message())));
  }
  return EvaluatedRun{job.policy, job.trace.name, job.seed.seed, *std::move(result), {}, {}};
}

Result<EvaluatedRun> Run(const Job& job, PackingRecorder* recorder) {
  Rng rng(job.seed.seed);
  return ResultOf(job, RunPacking(job.policy, job.trace.trace, job.seed.order, rng, recorder));
}

Result<EvaluatedRun> RunRecorded(const Job& job) {
  PackingRecorder recorder(job.trace.trace);
  Result<EvaluatedRun> run = Run(job, &recorder);
  if (!run.ok()) return run;
  run->record = recorder.record();
  if (job.HasFirstSeed()) run->nodes = recorder.nodes();
  return run;
}

}  // namespace

Result<std::vector<EvaluatedRun>> Evaluate(const std::vector<SimPolicy>& policies,
                                           const std::vector<SeededTrace>& traces,
                                           const Parallel& parallel, Detail detail) {
  return InParallel(AllJobs(policies, traces), parallel, [detail](const Job& job) {
    return detail == Detail::kPictures ? RunRecorded(job) : Run(job, nullptr);
  });
}

Result<std::vector<EvaluatedRun>> EvaluateLagged(const std::vector<SimPolicy>& policies,
                                                 const std::vector<SeededTrace>& traces,
                                                 const Lag& lag, const Parallel& parallel) {
  return InParallel(AllJobs(policies, traces), parallel, [&](const Job& job) {
    const Result<ScorerPtr> served = MakeHeuristic(job.policy.name);
    if (!served.ok()) return ResultOf(job, served.status());
    return ResultOf(job, RunLagged(*served, job.trace.trace, job.seed.order, lag));
  });
}

}  // namespace berth
