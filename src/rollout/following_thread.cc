#include "rollout/following_thread.h"

#include <chrono>
#include <condition_variable>
#include <mutex>
#include <utility>

namespace berth {
namespace {

constexpr std::chrono::seconds kLookEvery{1};

}  // namespace

FollowingThread::FollowingThread(PolicyFollower follower) : follower_(std::move(follower)) {
  for (int look = 0; look < PolicyFollower::kLooksToTakeUp; ++look) follower_.Look();
  thread_ = std::jthread([this](const std::stop_token& stop) { Follow(stop); });
}

void FollowingThread::Follow(const std::stop_token& stop) {
  std::mutex mutex;
  std::condition_variable_any stopped;
  std::unique_lock lock(mutex);
  while (!stopped.wait_for(lock, stop, kLookEvery, [&] { return stop.stop_requested(); })) {
    follower_.Look();
  }
}

}  // namespace berth
