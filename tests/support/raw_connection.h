#pragma once

#include <arpa/inet.h>
#include <sys/socket.h>
#include <unistd.h>

#include <string>
#include <string_view>

namespace berth {

// A TCP connection to a local server, for tests that say what no HTTP client would.
class RawConnection {
 public:
  explicit RawConnection(int port) : fd_(socket(AF_INET, SOCK_STREAM, 0)) {
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<uint16_t>(port));
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    connected_ = connect(fd_, reinterpret_cast<sockaddr*>(&address), sizeof(address)) == 0;
  }
  ~RawConnection() { close(fd_); }

  RawConnection(const RawConnection&) = delete;
  RawConnection& operator=(const RawConnection&) = delete;

  bool connected() const { return connected_; }

  int local_port() const {
    sockaddr_in address{};
    socklen_t size = sizeof(address);
    getsockname(fd_, reinterpret_cast<sockaddr*>(&address), &size);
    return ntohs(address.sin_port);
  }

  // False when the peer has closed.
  bool Send(std::string_view bytes) {
    while (!bytes.empty()) {
      const ssize_t sent = send(fd_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
      if (sent <= 0) return false;
      bytes.remove_prefix(static_cast<size_t>(sent));
    }
    return true;
  }

  // Reads until `text` has arrived or the peer has closed; returns everything read so far.
  const std::string& ReadUntil(std::string_view text) {
    char buffer[4096];
    while (received_.find(text) == std::string::npos) {
      const ssize_t got = recv(fd_, buffer, sizeof(buffer), 0);
      if (got <= 0) break;
      received_.append(buffer, static_cast<size_t>(got));
    }
    return received_;
  }

  // Reads until the peer closes.
  const std::string& ReadAll() {
    char buffer[4096];
    ssize_t got;
    while ((got = recv(fd_, buffer, sizeof(buffer), 0)) > 0) {
      received_.append(buffer, static_cast<size_t>(got));
    }
    return received_;
  }

 private:
  int fd_;
  bool connected_ = false;
  std::string received_;
};

}  // namespace berth
