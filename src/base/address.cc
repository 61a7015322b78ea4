#include "base/address.h"

#include <charconv>
#include <string_view>

namespace berth {
namespace {

constexpr int kMaxPort = 65535;

bool ParsePort(std::string_view text, int& port) {
  const auto [end, error] = std::from_chars(text.begin(), text.end(), port);
  return error == std::errc() && end == text.end() && port >= 0 && port <= kMaxPort;
}

// Takes the brackets off; empty when what is left is no host.
std::string ParseHost(std::string_view text) {
  if (text.starts_with('[') && text.ends_with(']')) {
    return std::string(text.substr(1, text.size() - 2));
  }
  const bool odd = text.find_first_of(":[]/ ") != std::string_view::npos;
  return odd ? "" : std::string(text);
}

}  // namespace

bool Address::IsLoopback() const {
  return host == "localhost" || host == "::1" || host.starts_with("127.");
}

std::string Address::ToString() const {
  const bool brackets = host.find(':') != std::string::npos;
  return (brackets ? "[" + host + "]" : host) + ":" + std::to_string(port);
}

Result<Address> ParseAddress(const std::string& text) {
  const size_t colon = text.rfind(':');
  Address address;
  if (colon != std::string::npos) {
    address.host = ParseHost(std::string_view(text).substr(0, colon));
    if (!address.host.empty() &&
        ParsePort(std::string_view(text).substr(colon + 1), address.port)) {
      return address;
    }
  }
  return absl::InvalidArgumentError("\"" + text +
                                    "\" is no address; write HOST:PORT, such as 127.0.0.1:8790");
}

}  // namespace berth
