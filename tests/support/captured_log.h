#pragma once

#include <spdlog/sinks/ostream_sink.h>

#include <sstream>
#include <string>
#include <vector>

#include "base/log.h"

namespace berth {

// A logger that keeps its lines ("level message") for a test to read.
class CapturedLog {
 public:
  CapturedLog() : logger_("test", std::make_shared<spdlog::sinks::ostream_sink_mt>(text_, true)) {
    logger_.set_pattern("%l %v");
    logger_.set_level(spdlog::level::debug);
  }

  Logger& logger() { return logger_; }
  std::string text() const { return text_.str(); }

  // Lines of level warning and above, and info; debug is left out.
  std::vector<std::string> Lines() const {
    std::vector<std::string> lines;
    std::istringstream all(text_.str());
    for (std::string line; std::getline(all, line);) {
      if (!line.starts_with("debug")) lines.push_back(line);
    }
    return lines;
  }

 private:
  std::ostringstream text_;
  Logger logger_;
};

}  // namespace berth
