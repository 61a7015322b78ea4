#include "kube/server_url.h"

#include <algorithm>
#include <charconv>

#include "base/log.h"

namespace berth {
namespace {

// Takes "host", "host:port" or "[v6]:port" apart; false when it is none of these.
bool ReadAuthority(std::string_view authority, ServerUrl& url) {
  const bool bracketed = authority.starts_with('[');
  const size_t end = bracketed ? authority.find(']') : authority.find(':');
  if (bracketed && end == std::string_view::npos) return false;
  url.host = bracketed ? authority.substr(1, end - 1) : authority.substr(0, end);
  authority.remove_prefix(std::min(bracketed ? end + 1 : end, authority.size()));
  if (url.host.empty()) return false;
  if (authority.empty()) return true;
  const char* const begin = authority.data() + 1;
  const char* const stop = authority.data() + authority.size();
  const auto [parsed, error] = std::from_chars(begin, stop, url.port);
  return authority.front() == ':' && error == std::errc() && parsed == stop && url.port > 0 &&
         url.port <= 65535;
}

}  // namespace

Result<ServerUrl> ParseServerUrl(std::string_view text) {
  ServerUrl url;
  std::string_view rest = text;
  if (rest.starts_with("https://")) {
    rest.remove_prefix(8);
  } else if (rest.starts_with("http://")) {
    rest.remove_prefix(7);
    url.tls = false;
    url.port = 80;
  } else {
    rest = {};
  }
  const size_t slash = std::min(rest.find('/'), rest.size());
  url.prefix = rest.substr(slash);
  while (url.prefix.ends_with('/')) url.prefix.pop_back();
  const bool odd = rest.find_first_of("@?# \t\r\n") != std::string_view::npos;
  if (odd || !ReadAuthority(rest.substr(0, slash), url)) {
    return absl::InvalidArgumentError(Quoted(text) +
                                      " is not a server's URL such as https://10.0.0.1:6443");
  }
  return url;
}

}  // namespace berth
