#include "policy/worker_pool.h"

#include <utility>

#include "base/check.h"

namespace berth {

WorkerPool::WorkerPool(int max_busy, std::shared_ptr<StuckWorkers> stuck)
    : max_busy_(max_busy), stuck_(std::move(stuck)) {
  BERTH_CHECK(max_busy > 0, "somebody has to work");
}

std::unique_ptr<Worker> WorkerPool::Take(std::chrono::nanoseconds limit) {
  std::unique_lock lock(mutex_);
  if (!returned_.wait_for(lock, limit, [this] { return busy_ < max_busy_; })) return nullptr;
  ++busy_;
  if (idle_.empty()) return std::make_unique<Worker>(stuck_);
  std::unique_ptr<Worker> worker = std::move(idle_.back());
  idle_.pop_back();
  return worker;
}

void WorkerPool::Return(std::unique_ptr<Worker> worker, Worker::Outcome outcome) {
  const std::lock_guard lock(mutex_);
  --busy_;
  if (outcome != Worker::Outcome::kStuck) idle_.push_back(std::move(worker));
  returned_.notify_one();
}

}  // namespace berth
