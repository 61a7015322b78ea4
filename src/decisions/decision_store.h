#pragma once

#include <chrono>
#include <cstdint>
#include <span>
#include <string>
#include <utility>

#include "berth/result.h"
#include "berth/wall_clock.h"
#include "decisions/database.h"
#include "decisions/decision_record.h"

namespace berth {

// How much is kept: the oldest decisions leave first.
struct Retention {
  int64_t max_bytes = int64_t{256} << 20;  // of the file; SQLite's log beside it has a few MiB more
  std::chrono::seconds max_age = std::chrono::hours(168);
};

// Writes decisions into an SQLite file, which others may read meanwhile (DecisionReader). Used by
// one thread at a time; blocks on the disk.
class DecisionStore {
 public:
  // Creates the file where there is none. Errors: DATA_LOSS, the file is damaged; INVALID_ARGUMENT,
  // it is something else or of another schema; UNAVAILABLE, all else. The message names the file.
  static Result<DecisionStore> Open(const std::string& file, const Retention& retention);

  // All or nothing, and lets go of what is too old or too much by then. Errors: as Open.
  Status Append(std::span<const DecisionRecord> records, WallClock::TimePoint now);

 private:
  DecisionStore(Database database, const Retention& retention)
      : database_(std::move(database)), retention_(retention) {}

  Status Write(std::span<const DecisionRecord> records, WallClock::TimePoint now);
  Status Insert(const DecisionRecord& record);
  Result<int64_t> ProfileId(const WorkloadProfilePtr& profile);
  Status DeleteTooOld(WallClock::TimePoint now);
  Status DeleteTooMuch();
  Status DeleteUnusedProfiles();
  Status ShrinkFile();
  Result<int64_t> UsedBytes();

  Database database_;
  Retention retention_;
  WorkloadProfilePtr last_profile_;  // kept alive, so that its address is its own
  int64_t last_profile_id_ = 0;
};

}  // namespace berth
