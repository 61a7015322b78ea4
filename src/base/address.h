#pragma once

#include <string>

#include "berth/result.h"

namespace berth {

// Where a server listens.
struct Address {
  std::string host;  // a name or a number; IPv6 without brackets
  int port = 0;      // 0: any free one

  bool IsLoopback() const;       // nobody on another machine can connect
  std::string ToString() const;  // "HOST:PORT", IPv6 in brackets
};

// Reads "HOST:PORT", such as "127.0.0.1:8790", "localhost:0" or "[::1]:8790".
// Errors: INVALID_ARGUMENT that quotes the text and says what would be right.
Result<Address> ParseAddress(const std::string& text);

}  // namespace berth
