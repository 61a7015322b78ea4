#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "base/metrics.h"
#include "policy/decision.h"

namespace berth {

// Decisions that wait for a thread of its own, so that nobody who answers waits for what is done
// with them. What there is no room for is dropped and counted.
class DecisionQueue final : public DecisionSink {
 public:
  // How many decisions wait at most. Each keeps a view alive: with 5,000 nodes that all change
  // between decisions it is 160 KB, so 80 MB when the work is slow and all are different.
  static constexpr size_t kMost = 512;

  // Called on the thread of the queue with all that waits, in the order of their coming.
  using Work = std::function<void(const std::vector<DecisionPtr>& decisions)>;

  // `dropped` outlives this, and so does what `work` uses.
  DecisionQueue(Work work, Counter& dropped);

  // Does the work that waits. REQUIRES: nobody offers any more.
  ~DecisionQueue() override;

  void Offer(DecisionPtr decision) override;

 private:
  void WorkOff();

  const Work work_;
  Counter& dropped_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<DecisionPtr> queue_;
  bool stopping_ = false;
  std::thread thread_;  // last: it uses the above
};

}  // namespace berth
