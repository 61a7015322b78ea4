#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "base/metrics.h"
#include "berth/clock.h"
#include "berth/wall_clock.h"
#include "decisions/decision_store.h"
#include "policy/decision_queue.h"

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
  static constexpr std::chrono::minutes kRetry{1};

  // Opens the file: blocks on the disk. References outlive this.
  DecisionLog(std::string file, const Retention& retention, const Clock& clock,
              const WallClock& wall_clock, Metrics& metrics, Logger& log);

  // Writes what waits. REQUIRES: nobody offers any more.
  ~DecisionLog() override = default;

  void Offer(DecisionPtr decision) override { queue_->Offer(std::move(decision)); }

 private:
  void Write(const std::vector<DecisionPtr>& decisions);
  bool Open();
  void GoDown(const Status& why);

  const std::string file_;
  const Retention retention_;
  const Clock& clock_;
  const WallClock& wall_clock_;
  Logger& log_;
  Counter& logged_;
  Counter& failed_;
  Gauge& up_;

  // Of the queue's thread, once it runs.
  std::optional<DecisionStore> store_;  // empty while the log is down
  Clock::TimePoint retry_at_;
  bool warned_ = false;

  std::optional<DecisionQueue> queue_;  // last: its thread uses the above; never empty
};

}  // namespace berth
