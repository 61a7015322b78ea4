#pragma once

#include <atomic>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <thread>
#include <utility>
#include <vector>

#include "berth/result.h"

namespace berth {

// How many jobs run at a time, and who is told after each how many are done, of how many: one call
// at a time, from any of the threads.
struct Parallel {
  int threads = 1;
  std::function<void(size_t done, size_t all)> progress = [](size_t, size_t) {};
};

// What `run` makes of each job, in their order. `run` gives a Result and is called from all
// threads. Errors: that of the first job that has one.
template <class Job, class Run>
auto InParallel(const std::vector<Job>& jobs, const Parallel& parallel, Run run) {
  using Single = decltype(run(jobs.front()));
  using All = Result<std::vector<typename Single::value_type>>;
  std::vector<std::optional<Single>> results(jobs.size());
  std::atomic<size_t> next = 0;
  std::mutex telling;
  size_t done = 0;
  const auto work = [&] {
    for (size_t i = next++; i < jobs.size(); i = next++) {
      results[i].emplace(run(jobs[i]));
      const std::lock_guard lock(telling);
      parallel.progress(++done, jobs.size());
    }
  };
  {
    std::vector<std::jthread> workers;
    for (int i = 0; i < parallel.threads; ++i) workers.emplace_back(work);
  }
  std::vector<typename Single::value_type> all;
  for (std::optional<Single>& result : results) {
    if (!result->ok()) return All(result->status());
    all.push_back(*std::move(*result));
  }
  return All(std::move(all));
}

}  // namespace berth
