#include "base/log.h"

#include <spdlog/sinks/stdout_sinks.h>

#include <nlohmann/json.hpp>

namespace berth {

std::shared_ptr<Logger> MakeStderrLogger(std::string_view program, std::string_view level) {
  auto log = std::make_shared<Logger>(std::string(program),
                                      std::make_shared<spdlog::sinks::stderr_sink_mt>());
  log->set_pattern("time=%Y-%m-%dT%H:%M:%S.%eZ level=%l program=%n %v",
                   spdlog::pattern_time_type::utc);
  log->set_level(spdlog::level::from_str(std::string(level)));
  log->flush_on(spdlog::level::info);
  return log;
}

std::string Quoted(std::string_view text) {
  constexpr size_t kMaxBytes = 512;
  const nlohmann::json json = std::string(text.substr(0, kMaxBytes));
  return json.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

}  // namespace berth
