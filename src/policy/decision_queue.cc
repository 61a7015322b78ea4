#include "policy/decision_queue.h"

#include <sched.h>

#include <utility>

namespace berth {

DecisionQueue::DecisionQueue(Work work, Counter& dropped)
    : work_(std::move(work)), dropped_(dropped) {
  queue_.reserve(kMost);
  thread_ = std::thread([this] { WorkOff(); });
}

DecisionQueue::~DecisionQueue() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void DecisionQueue::Offer(DecisionPtr decision) {
  {
    const std::scoped_lock lock(mutex_);
    if (queue_.size() >= kMost) {
      dropped_.Increment();
      return;
    }
    queue_.push_back(std::move(decision));
  }
  wake_.notify_one();
}

void DecisionQueue::WorkOff() {
  // Woken by whoever answers, this thread must not take its processor away. As a batch it has the
  // same share of the processors, later. Where that is refused it only costs time.
  const sched_param none{};
  sched_setscheduler(0, SCHED_BATCH, &none);
  std::vector<DecisionPtr> taken;
  taken.reserve(kMost);
  while (true) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
      if (queue_.empty()) return;
      taken.swap(queue_);
    }
    work_(taken);
    taken.clear();
  }
}

}  // namespace berth
