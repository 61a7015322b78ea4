#include "rollout/following_thread.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace berth {
namespace {

constexpr std::chrono::seconds kLookEvery{1};

}  // namespace

FollowingThread::FollowingThread(PolicyFollower follower, AfterLook after_look)
    : follower_(std::move(follower)), after_look_(std::move(after_look)) {
  for (int look = 0; look < PolicyFollower::kLooksToTakeUp; ++look) Look();
  thread_ = std::jthread([this](const std::stop_token& stop) { Follow(stop); });
}

void FollowingThread::Follow(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  while (!stopped.wait_for(lock, stop, kLookEvery, [&] { return stop.stop_requested(); })) {
    Look();
    if (after_look_) after_look_(follower_);
  }
}

void FollowingThread::Look() {
  follower_.Look();  // may take long
  const std::lock_guard lock(mutex_);
  problem_ = follower_.problem();
}

std::string FollowingThread::Problem() const {
  const std::lock_guard lock(mutex_);
  return problem_;
}

}  // namespace berth
