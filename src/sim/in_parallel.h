#pragma once

#include <atomic>
#include <cstddef>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "berth/result.h"

namespace berth {

// What `run` makes of each job, in their order, on so many threads. `run` gives a Result and is
// called from all of them. Errors: that of the first job that has one.
template <class Job, class Run>
auto InParallel(const std::vector<Job>& jobs, int threads, Run run) {
  using Single = decltype(run(jobs.front()));
  using All = Result<std::vector<typename Single::value_type>>;
  std::vector<std::optional<Single>> results(jobs.size());
  std::atomic<size_t> next = 0;
  const auto work = [&] {
    for (size_t i = next++; i < jobs.size(); i = next++) results[i].emplace(run(jobs[i]));
  };
  {
    std::vector<std::jthread> workers;
    for (int i = 0; i < threads; ++i) workers.emplace_back(work);
  }
  std::vector<typename Single::value_type> all;
  for (std::optional<Single>& result : results) {
    if (!result->ok()) return All(result->status());
    all.push_back(*std::move(*result));
  }
  return All(std::move(all));
}

}  // namespace berth
