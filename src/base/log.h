#pragma once

#include <spdlog/logger.h>

#include <memory>
#include <string>
#include <string_view>

namespace berth {

// Logs are passed in, like clocks. One line per thing that matters, as logfmt:
//   log.warn("msg=\"pod on a node not yet known\" pod={} node={}", Quoted(pod), Quoted(node));
using Logger = spdlog::logger;

// Writes `time=... level=... program=NAME ...` lines to standard error; `level` is one of
// "debug", "info", "warn", "error".
std::shared_ptr<Logger> MakeStderrLogger(std::string_view program, std::string_view level = "info");

// `text` in double quotes, fit for a log line whatever bytes it holds: control characters and
// quotes escaped, broken UTF-8 replaced, at most 512 bytes.
std::string Quoted(std::string_view text);

}  // namespace berth
