#include "policy/worker.h"

#include <condition_variable>
#include <utility>

#include "base/check.h"

namespace berth {

int StuckWorkers::count() const {
  const std::lock_guard lock(mutex_);
  return count_;
}

void StuckWorkers::Add(int change) {
  const std::lock_guard lock(mutex_);
  count_ += change;
  if (gauge_ != nullptr) gauge_->Increment(change);
}

void StuckWorkers::Detach() {
  const std::lock_guard lock(mutex_);
  gauge_->Decrement(count_);
  gauge_ = nullptr;
}

// Lives until both the Worker and its thread are done with it.
struct Worker::Mailbox {
  enum class State { kIdle, kAssigned, kRunning, kDone, kAbandoned, kClosed };

  // The thread's whole life.
  void Serve(StuckWorkers& stuck) {
    std::unique_lock lock(mutex);
    for (;;) {
      changed.wait(lock, [&] { return state == State::kAssigned || state == State::kClosed; });
      if (state == State::kClosed) return;
      state = State::kRunning;
      RunUnlocked(lock, std::exchange(job, nullptr));
      if (state == State::kAbandoned) return stuck.Add(-1);
      state = State::kDone;
      changed.notify_all();
    }
  }

  static void RunUnlocked(std::unique_lock<std::mutex>& lock, std::function<void()> job) {
    lock.unlock();
    job();
    job = nullptr;  // what it owns may be slow to free
    lock.lock();
  }

  std::mutex mutex;
  std::condition_variable changed;
  State state = State::kIdle;
  std::function<void()> job;
};

Worker::Worker(std::shared_ptr<StuckWorkers> stuck)
    : stuck_(std::move(stuck)),
      mailbox_(std::make_shared<Mailbox>()),
      thread_([mailbox = mailbox_, stuck = stuck_] { mailbox->Serve(*stuck); }) {}

Worker::~Worker() {
  if (!thread_.joinable()) return;  // stuck
  {
    const std::lock_guard lock(mailbox_->mutex);
    mailbox_->state = Mailbox::State::kClosed;
    mailbox_->changed.notify_all();
  }
  thread_.join();
}

Worker::Outcome Worker::Run(std::function<void()> job, std::chrono::nanoseconds limit) {
  using State = Mailbox::State;
  Mailbox& mail = *mailbox_;
  std::unique_lock lock(mail.mutex);
  BERTH_CHECK(mail.state == State::kIdle, "one job at a time");
  mail.job = std::move(job);
  mail.state = State::kAssigned;
  mail.changed.notify_all();
  mail.changed.wait_for(lock, limit, [&] { return mail.state == State::kDone; });
  if (mail.state == State::kRunning) {
    mail.state = State::kAbandoned;
    stuck_->Add(1);
    thread_.detach();
    return Outcome::kStuck;
  }
  const bool done = mail.state == State::kDone;
  mail.job = nullptr;
  mail.state = State::kIdle;
  return done ? Outcome::kDone : Outcome::kNotBegun;
}

}  // namespace berth
