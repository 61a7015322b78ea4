#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <stop_token>
#include <thread>

#include "base/log.h"
#include "base/metrics.h"
#include "base/rng.h"
#include "kube/backoff.h"
#include "kube/fact_store.h"
#include "rpc/feed_client.h"

namespace berth {

struct FeederOptions {
  // Between attempts to open a feed; see Backoff. Without a feed there is no answer, and an attempt
  // on loopback costs next to nothing, so it never waits long.
  std::chrono::milliseconds first_pause{100};
  std::chrono::milliseconds longest_pause{2'000};
  Rng::result_type seed = 0;
};

// Passes everything in a FactStore on to a scoring service, on a thread of its own from
// construction to destruction. After a broken feed it opens another and starts with a complete
// picture again.
class Feeder {
 public:
  using OpenFeedFunction = std::function<Result<std::unique_ptr<FeedStream>>()>;

  // The references outlive the feeder; `store` has no other reader.
  Feeder(FactStore& store, OpenFeedFunction open, const FeederOptions& options, Metrics& metrics,
         Logger& log);

  // True once the service has taken in one complete picture from this feeder; stays so, because a
  // service that lost it says so itself. Thread-safe.
  bool Delivered() const;

 private:
  void Run(std::stop_token stop);
  // One feed from its opening to its end, and why it ended.
  Status FeedOnce(std::stop_token stop);
  Status Pump(FeedStream& stream);
  void Pause(std::stop_token stop);
  bool PictureAcknowledged() const;  // REQUIRES: mutex_ held

  FactStore& store_;
  const OpenFeedFunction open_;
  Logger& log_;
  Counter& broken_;
  Counter& events_;
  Gauge& connected_;

  Backoff backoff_;
  bool warned_ = false;  // that there is no feed, since the last complete picture

  mutable std::mutex mutex_;
  std::condition_variable_any stopping_;
  FeedStream* stream_ = nullptr;   // the open one
  uint64_t picture_complete_ = 0;  // sequence that ended its first picture; 0: not sent yet
  mutable bool delivered_ = false;

  std::jthread thread_;  // last: uses all of the above
};

}  // namespace berth
