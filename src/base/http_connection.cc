#include "base/http_connection.h"

#include <poll.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>

namespace berth {
namespace {

constexpr int kIoTimeoutMs = 5000;

// False when nothing happened in time, or `stop_fd` (-1: none) is readable.
bool WaitFor(int fd, short events, int timeout_ms, int stop_fd = -1) {
  std::array<pollfd, 2> wait = {pollfd{.fd = fd, .events = events, .revents = 0},
                                pollfd{.fd = stop_fd, .events = POLLIN, .revents = 0}};
  int ready;
  do {
    ready = poll(wait.data(), wait.size(), timeout_ms);
  } while (ready < 0 && errno == EINTR);
  return ready > 0 && wait[1].revents == 0;
}

}  // namespace

HttpConnection::HttpConnection(int fd, int stop_fd)
    : fd_(fd), stop_fd_(stop_fd), timer_fd_(timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC)) {}

HttpConnection::~HttpConnection() {
  close(fd_);
  close(timer_fd_);
}

bool HttpConnection::AwaitRequest(std::chrono::milliseconds patience) {
  return begin_ < end_ || WaitFor(fd_, POLLIN, static_cast<int>(patience.count()), stop_fd_);
}

void HttpConnection::AllowTime(std::chrono::milliseconds time) {
  const itimerspec once = {
      .it_interval = {},
      .it_value = {.tv_sec = time.count() / 1000, .tv_nsec = time.count() % 1000 * 1'000'000}};
  timerfd_settime(timer_fd_, 0, &once, nullptr);
}

void HttpConnection::Drain() {
  constexpr size_t kMaxBytes = size_t{64} << 20;
  constexpr int kPatienceMs = 500;
  shutdown(fd_, SHUT_WR);
  AllowTime(std::chrono::seconds(2));
  size_t drained = 0;
  while (drained < kMaxBytes && WaitFor(fd_, POLLIN, kPatienceMs, timer_fd_)) {
    const ssize_t got = recv(fd_, buffer_.data(), buffer_.size(), 0);
    if (got <= 0) return;
    drained += static_cast<size_t>(got);
  }
}

bool HttpConnection::is_readable() const {
  return begin_ < end_ || WaitFor(fd_, POLLIN, kIoTimeoutMs, timer_fd_);
}

bool HttpConnection::is_writable() const { return WaitFor(fd_, POLLOUT, kIoTimeoutMs); }

bool HttpConnection::Fill() {
  ended_ = ended_ || !WaitFor(fd_, POLLIN, kIoTimeoutMs, timer_fd_);
  if (ended_) return false;
  const ssize_t got = recv(fd_, buffer_.data(), buffer_.size(), 0);
  ended_ = got <= 0;
  if (ended_) return false;
  begin_ = 0;
  end_ = static_cast<size_t>(got);
  return true;
}

ssize_t HttpConnection::read(char* data, size_t size) {
  if (allowance_ == 0 || (begin_ == end_ && !Fill())) return 0;
  const size_t count = std::min({size, end_ - begin_, allowance_});
  std::copy_n(buffer_.data() + begin_, count, data);
  begin_ += count;
  allowance_ -= count;
  return static_cast<ssize_t>(count);
}

ssize_t HttpConnection::write(const char* data, size_t size) {
  return is_writable() ? send(fd_, data, size, MSG_NOSIGNAL) : -1;
}

}  // namespace berth
