#pragma once

#include <functional>
#include <mutex>
#include <string>
#include <thread>

#include "rollout/policy_follower.h"

namespace berth {

// Lets a follower look once a second, on a thread of its own until destruction. The constructor
// looks as often as it takes to put in charge what lies there ready, so that it serves from the
// beginning.
class FollowingThread {
 public:
  using AfterLook = std::function<void(PolicyFollower&)>;

  // `after_look` is called on the thread after each of its looks; null: nothing is.
  explicit FollowingThread(PolicyFollower follower, AfterLook after_look = nullptr);

  // PolicyFollower::problem, as of the last look. Thread-safe.
  std::string Problem() const;

 private:
  void Follow(const std::stop_token& stop);
  void Look();

  PolicyFollower follower_;
  const AfterLook after_look_;
  mutable std::mutex mutex_;  // of what others read:
  std::string problem_;
  std::jthread thread_;  // last: it uses the above
};

}  // namespace berth
