#pragma once

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <vector>

#include "policy/worker.h"

namespace berth {

// At most `max_busy` workers at once, kept for later jobs. Thread-safe.
class WorkerPool {
 public:
  // REQUIRES: max_busy > 0.
  WorkerPool(int max_busy, std::shared_ptr<StuckWorkers> stuck);

  // A worker for one job, or null where none becomes free within `limit`.
  std::unique_ptr<Worker> Take(std::chrono::nanoseconds limit);

  // After each Take that gave one, also with a worker that is stuck: another takes its place.
  void Return(std::unique_ptr<Worker> worker, Worker::Outcome outcome);

 private:
  const int max_busy_;
  const std::shared_ptr<StuckWorkers> stuck_;
  std::mutex mutex_;
  std::condition_variable returned_;
  int busy_ = 0;                               // guarded by mutex_
  std::vector<std::unique_ptr<Worker>> idle_;  // guarded by mutex_; last in, first out
};

}  // namespace berth
