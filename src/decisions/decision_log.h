#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "base/log.h"
#include "base/metrics.h"
#include "berth/clock.h"
#include "berth/wall_clock.h"
#include "decisions/decision_store.h"
#include "policy/decision.h"

namespace berth {

// Keeps decisions in a file. A thread of its own turns them into records and writes them, so that
// nobody who answers waits for the disk.
//
// When the file cannot be opened or written (a full disk, a file that is damaged or something
// else), the log is down: decisions are given up, and with the first one after kRetry it is opened
// and tried again. Nothing is done to a file that is not understood: it may be all there is to
// learn from, or somebody else's. Going down is one warning, coming back one line of info.
//
// Metrics: berth_decisions_total{outcome}, where outcome is logged, dropped (the queue was full) or
// failed (the log was down); berth_decision_log_up.
class DecisionLog final : public DecisionSink {
 public:
  // How many decisions wait at most. Each keeps a view alive: with 5,000 nodes that all change
  // between decisions it is 160 KB, so 80 MB when the disk is slow and all are different.
  static constexpr size_t kQueue = 512;
  static constexpr std::chrono::minutes kRetry{1};

  // Opens the file: blocks on the disk. References outlive this.
  DecisionLog(std::string file, const Retention& retention, const Clock& clock,
              const WallClock& wall_clock, Metrics& metrics, Logger& log);

  // Writes what waits. REQUIRES: nobody offers any more.
  ~DecisionLog() override;

  void Offer(Decision decision) override;

 private:
  void WriteAll();
  void Write(const std::vector<Decision>& decisions);
  bool Open();
  void GoDown(const Status& why);

  const std::string file_;
  const Retention retention_;
  const Clock& clock_;
  const WallClock& wall_clock_;
  Logger& log_;
  Counter& logged_;
  Counter& dropped_;
  Counter& failed_;
  Gauge& up_;

  // Of the log's thread, once it runs.
  std::optional<DecisionStore> store_;  // empty while the log is down
  Clock::TimePoint retry_at_;
  bool warned_ = false;

  std::mutex mutex_;
  std::condition_variable wake_;
  std::vector<Decision> queue_;  // guarded by mutex_
  bool stopping_ = false;        // guarded by mutex_
  std::thread thread_;
};

}  // namespace berth
