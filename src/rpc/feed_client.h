#pragma once

#include <cstdint>
#include <memory>
#include <stop_token>
#include <string>

#include "berth/result.h"
#include "facts/facts.h"

namespace berth {

// One open feed to a scoring service. One thread sends; everything else may be called from
// anywhere.
class FeedStream {
 public:
  virtual ~FeedStream() = default;

  // Numbers the event and hands it over; may block while the service is slow.
  // On an error the stream is over and a new one is needed.
  virtual Status Send(const FeedEvent& event) = 0;

  // Last sequence that the service has applied (Send numbers from 1).
  virtual uint64_t Acknowledged() const = 0;

  // Stop is requested on this token once the stream is over for whatever reason (the service went
  // away or took a newer stream, or Finish), so that a feeder notices while it waits for events.
  virtual std::stop_token Over() const = 0;

  // Ends the stream; a blocked Send returns.
  virtual void Finish() = 0;
};

// Opens a feed. Errors: UNAVAILABLE.
Result<std::unique_ptr<FeedStream>> OpenFeed(const std::string& target, const std::string& feeder);

}  // namespace berth
