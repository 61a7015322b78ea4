#include "rollout/audit_log.h"

#include <nlohmann/json.hpp>
#include <utility>

#include "base/durable_file.h"
#include "base/real_clock.h"

namespace berth {

AuditLog::AuditLog(std::filesystem::path file, const WallClock& wall_clock)
    : file_(std::move(file)), wall_clock_(wall_clock) {}

Status AuditLog::Check() const { return AppendDurably(file_, ""); }

Status AuditLog::Append(const RolloutControl::Author& author,
                        const RolloutControl::Proposal& change) const {
  const nlohmann::ordered_json line = {{"time", UtcTime(wall_clock_.Now())},
                                       {"who", author.who},
                                       {"peer", author.peer},
                                       {"why", author.why},
                                       {"from", RolloutYaml(change.before)},
                                       {"to", RolloutYaml(change.after)}};
  using Json = nlohmann::ordered_json;
  return AppendDurably(file_, line.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n");
}

}  // namespace berth
