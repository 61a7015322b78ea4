#include "service/feed_turn.h"

#include <utility>

namespace berth {

FeedTurn::FeedTurn(std::function<void()> on_epoch, Metrics& metrics)
    : on_epoch_(std::move(on_epoch)),
      connected_(metrics.AddGauge("berth_feed_connected", "1 while a feeder is connected.")),
      superseded_(metrics.AddCounter("berth_feed_superseded_total",
                                     "Feeds that a newer one took over; many mean that two "
                                     "feeders fight over one service.")),
      epochs_total_(metrics.AddCounter("berth_feed_epochs_total",
                                       "Complete pictures of the cluster taken in.")) {}

Status FeedTurn::Take(const void* who, Lost lost) {
  if (draining_) return absl::UnavailableError("the service is shutting down");
  if (holder_ != nullptr && holder_ != who) {
    superseded_.Increment();
    End(absl::AbortedError("superseded by a newer feed"));
  }
  holder_ = who;
  lost_ = std::move(lost);
  connected_.Set(1);
  return {};
}

void FeedTurn::GiveBack(const void* who) {
  if (holder_ != who) return;
  holder_ = nullptr;
  lost_ = nullptr;
  connected_.Set(0);
}

void FeedTurn::EpochCompleted() {
  ++epochs_;
  epochs_total_.Increment();
  on_epoch_();
}

void FeedTurn::Drain() {
  draining_ = true;
  if (holder_ != nullptr) End(absl::UnavailableError("the service is shutting down"));
}

void FeedTurn::End(const Status& why) {
  const Lost lost = std::exchange(lost_, nullptr);
  GiveBack(holder_);
  lost(why);
}

}  // namespace berth
