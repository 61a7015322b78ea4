#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>

#include "base/metrics.h"

namespace berth {

// How many workers hang, shown as a gauge. Shared by the workers of one owner, which they may
// outlive. Thread-safe.
class StuckWorkers {
 public:
  explicit StuckWorkers(Gauge& gauge) : gauge_(&gauge) {}

  int count() const;
  void Add(int change);

  // The gauge is about to go: takes this count out of it and forgets it.
  void Detach();

 private:
  mutable std::mutex mutex_;
  int count_ = 0;
  Gauge* gauge_;
};

// One thread that runs one job at a time and sleeps in between. Used by one thread at a time.
class Worker {
 public:
  explicit Worker(std::shared_ptr<StuckWorkers> stuck);

  // Ends the thread; a stuck one is left behind.
  ~Worker();

  Worker(const Worker&) = delete;
  Worker& operator=(const Worker&) = delete;

  enum class Outcome {
    kDone,
    kNotBegun,  // the thread got no processor in time; the job is dropped, the worker is free
    kStuck,     // the job has begun and not ended; this worker takes no more jobs
  };

  // Runs the job and waits for its end, at most for `limit`. The job owns what it uses, since it
  // may go on after this, and does not throw. A stuck worker counts as such until its job ends,
  // and may be deleted at any time.
  Outcome Run(std::function<void()> job, std::chrono::nanoseconds limit);

 private:
  struct Mailbox;

  const std::shared_ptr<StuckWorkers> stuck_;
  const std::shared_ptr<Mailbox> mailbox_;
  std::thread thread_;
};

}  // namespace berth
