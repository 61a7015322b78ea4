#pragma once

#include <filesystem>

#include "berth/result.h"
#include "berth/wall_clock.h"
#include "rollout/rollout_control.h"

namespace berth {

// A file to which every change of a rollout is appended, one line of JSON each:
//   {"time": "2026-11-30T12:00:00Z", "who": "token", "peer": "ipv4:10.0.0.7:41234",
//    "why": "first week", "from": "active: fgd\n", "to": "active: berth\nprevious: fgd\n"}
// Nobody else needs to keep away: each line is appended at once.
class AuditLog {
 public:
  // `wall_clock` outlives this.
  AuditLog(std::filesystem::path file, const WallClock& wall_clock);

  // Whether lines can be appended. Errors: as of Append.
  Status Check() const;

  // Returns once the line is on disk. Errors: UNAVAILABLE that names the file and the reason; the
  // file is then what it was.
  Status Append(const RolloutControl::Author& author, const RolloutControl::Proposal& change) const;

 private:
  const std::filesystem::path file_;
  const WallClock& wall_clock_;
};

}  // namespace berth
