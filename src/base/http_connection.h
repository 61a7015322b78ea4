#pragma once

#include <httplib.h>

#include <array>
#include <chrono>
#include <string>

namespace berth {

// The server's end of one HTTP connection, for one thread. Owns the socket.
class HttpConnection final : public httplib::Stream {
 public:
  // `stop_fd` becomes readable when the server stops.
  HttpConnection(int fd, int stop_fd);
  ~HttpConnection() override;

  HttpConnection(const HttpConnection&) = delete;
  HttpConnection& operator=(const HttpConnection&) = delete;

  // Waits for the first bytes of a request. False: the server stops, or nothing came in time.
  bool AwaitRequest(std::chrono::milliseconds patience);

  // Limits what may be read from now on, and for how long; then the connection acts as if the peer
  // had closed it.
  void AllowBytes(size_t bytes) { allowance_ = bytes; }
  void AllowTime(std::chrono::milliseconds time);

  // True once the stream has ended, or the time allowed: what would come next is the rest of
  // something that was cut off.
  bool Ended() const { return ended_; }

  // Takes in what the peer is still sending, within reason. After an answer that came before the
  // end of its request: closing at once would cost the peer the answer.
  void Drain();

  bool is_readable() const override;
  bool is_writable() const override;
  ssize_t read(char* data, size_t size) override;
  ssize_t write(const char* data, size_t size) override;
  // Left empty: nobody here asks who calls.
  void get_remote_ip_and_port(std::string&, int&) const override {}
  void get_local_ip_and_port(std::string&, int&) const override {}
  socket_t socket() const override { return fd_; }

 private:
  bool Fill();  // false at the end of the stream

  int fd_;
  int stop_fd_;
  int timer_fd_;  // becomes readable when the time allowed is over
  std::array<char, 16384> buffer_;
  size_t begin_ = 0;  // unread bytes are [begin_, end_)
  size_t end_ = 0;
  size_t allowance_ = 0;
  bool ended_ = false;
};

}  // namespace berth
