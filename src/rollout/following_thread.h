#pragma once

#include <thread>

#include "rollout/policy_follower.h"

namespace berth {

// Lets a follower look once a second, on a thread of its own until destruction. The constructor
// looks as often as it takes to put in charge what lies there ready, so that it serves from the
// beginning.
class FollowingThread {
 public:
  explicit FollowingThread(PolicyFollower follower);

 private:
  void Follow(const std::stop_token& stop);

  PolicyFollower follower_;
  std::jthread thread_;  // last: it uses the above
};

}  // namespace berth
