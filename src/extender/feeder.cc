#include "extender/feeder.h"

#include <absl/cleanup/cleanup.h>

namespace berth {

Feeder::Feeder(FactStore& store, OpenFeedFunction open, const FeederOptions& options,
               Metrics& metrics, Logger& log)
    : store_(store),
      open_(std::move(open)),
      log_(log),
      broken_(metrics.AddCounter("berth_extender_feed_broken_total",
                                 "Feeds to the service that broke or could not be opened.")),
      events_(metrics.AddCounter("berth_extender_feed_events_total",
                                 "Events passed on to the service.")),
      connected_(metrics.AddGauge("berth_extender_feed_connected",
                                  "1 while a feed to the service is open.")),
      backoff_(options.seed, options.first_pause, options.longest_pause),
      thread_([this](std::stop_token stop) { Run(stop); }) {}

bool Feeder::PictureAcknowledged() const {
  return stream_ != nullptr && picture_complete_ > 0 &&
         stream_->Acknowledged() >= picture_complete_;
}

bool Feeder::Delivered() const {
  const std::lock_guard lock(mutex_);
  if (!delivered_) delivered_ = PictureAcknowledged();
  return delivered_;
}

void Feeder::Run(std::stop_token stop) {
  while (!stop.stop_requested()) {
    const Status end = FeedOnce(stop);
    if (stop.stop_requested()) return;
    broken_.Increment();
    // One warning for a service that stays away, not one per attempt.
    log_.log(warned_ ? spdlog::level::debug : spdlog::level::warn,
             "msg=\"no feed to the service; trying again\" error={}",
             Quoted(std::string(end.message())));
    warned_ = true;
    Pause(stop);
  }
}

Status Feeder::FeedOnce(std::stop_token stop) {
  Result<std::unique_ptr<FeedStream>> opened = open_();
  if (!opened.ok()) return opened.status();
  FeedStream& stream = **opened;
  {
    const std::lock_guard lock(mutex_);
    stream_ = &stream;
    picture_complete_ = 0;
  }
  connected_.Set(1);
  const absl::Cleanup detach = [this] {
    connected_.Set(0);
    const std::lock_guard lock(mutex_);
    delivered_ = delivered_ || PictureAcknowledged();
    stream_ = nullptr;
  };
  const std::stop_callback finish(stop, [&stream] { stream.Finish(); });
  return Pump(stream);
}

Status Feeder::Pump(FeedStream& stream) {
  store_.Restart();
  uint64_t sequence = 0;
  while (std::optional<FeedEvent> event = store_.Next(stream.Over())) {
    if (const Status sent = stream.Send(*event); !sent.ok()) return sent;
    events_.Increment();
    ++sequence;
    if (std::holds_alternative<EpochEnds>(*event)) {
      backoff_.Reset();
      warned_ = false;
      log_.info("msg=\"the service has been sent the complete picture\" events={}", sequence);
      const std::lock_guard lock(mutex_);
      if (picture_complete_ == 0) picture_complete_ = sequence;
    }
  }
  return absl::UnavailableError("the service ended the feed");
}

void Feeder::Pause(std::stop_token stop) {
  std::unique_lock lock(mutex_);
  stopping_.wait_for(lock, stop, backoff_.Next(), [] { return false; });
}

}  // namespace berth
