#pragma once

#include <cstdint>
#include <functional>
#include <mutex>

#include "base/metrics.h"
#include "berth/result.h"

namespace berth {

// Whose turn it is to tell the service about the cluster: one feeder's at a time, the newest one's,
// whichever way it comes in. Whoever has the turn writes to the cluster state, with mutex() held.
class FeedTurn {
 public:
  // Called, with mutex() held, when the turn is over; must not call back.
  using Lost = std::function<void(const Status& why)>;

  // `on_epoch` is called after each complete picture, with mutex() held. `metrics` outlives this.
  FeedTurn(std::function<void()> on_epoch, Metrics& metrics);

  FeedTurn(const FeedTurn&) = delete;
  FeedTurn& operator=(const FeedTurn&) = delete;

  std::mutex& mutex() { return mutex_; }

  // REQUIRES of all that follow: mutex() is held.

  // It is the turn of `who` from now on; whoever had it loses it with ABORTED.
  // Errors: UNAVAILABLE once drained.
  Status Take(const void* who, Lost lost);
  void GiveBack(const void* who);  // nothing happens when it is another's turn

  // Whoever has the turn has told a complete picture.
  void EpochCompleted();
  uint64_t epochs() const { return epochs_; }  // since the service started, of all feeders

  // Ends the turn with UNAVAILABLE, and gives no other.
  void Drain();

 private:
  void End(const Status& why);

  const std::function<void()> on_epoch_;
  Gauge& connected_;
  Counter& superseded_;
  Counter& epochs_total_;

  std::mutex mutex_;
  const void* holder_ = nullptr;
  Lost lost_;
  uint64_t epochs_ = 0;
  bool draining_ = false;
};

}  // namespace berth
