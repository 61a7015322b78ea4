#pragma once

#include <string>
#include <string_view>

#include "berth/result.h"

namespace berth {

// The parts of an API server's URL.
struct ServerUrl {
  bool tls = true;
  std::string host;    // an IPv6 address without its brackets
  int port = 443;      // 80 without TLS, unless the URL says otherwise
  std::string prefix;  // of every path, such as "/k8s/clusters/c1"; no '/' at its end

  bool operator==(const ServerUrl&) const = default;
};

// Errors quote the URL and say what would be right.
Result<ServerUrl> ParseServerUrl(std::string_view url);

}  // namespace berth
