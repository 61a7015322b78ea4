#include "decisions/schema.h"

#include <absl/strings/str_cat.h>

namespace berth {
namespace {

constexpr int64_t kSchema = 2;
constexpr int64_t kApplicationId = 0x42525448;  // "BRTH"

constexpr char kTables[] = R"(
CREATE TABLE profiles (
  id INTEGER PRIMARY KEY,
  digest TEXT NOT NULL UNIQUE,    -- SHA-256 of all that follows
  mix TEXT NOT NULL,              -- as a workload profile's file has it
  fleet TEXT NOT NULL,
  pods_leave INTEGER NOT NULL
) STRICT;
CREATE TABLE decisions (
  id INTEGER PRIMARY KEY,
  request INTEGER NOT NULL,
  time_us INTEGER NOT NULL,       -- since 1970, UTC
  namespace TEXT NOT NULL,
  name TEXT NOT NULL,
  uid TEXT NOT NULL,
  owner TEXT NOT NULL,            -- "Kind/name"; '': none
  demand TEXT NOT NULL,
  profile INTEGER NOT NULL REFERENCES profiles (id),
  gpu_load INTEGER NOT NULL,      -- sixteenths of all GPUs that were allocated
  nodes INTEGER NOT NULL,         -- looked at
  feasible INTEGER NOT NULL,      -- that could take the pod
  classes TEXT NOT NULL,          -- of those, best first
  more_classes INTEGER NOT NULL,  -- that were left out
  node TEXT NOT NULL,             -- the choice; '': none
  gpus TEXT NOT NULL,
  asked TEXT NOT NULL,            -- the policy whose turn it was
  version TEXT NOT NULL,          -- of that; '': it is built in
  policy TEXT NOT NULL,           -- that answered
  guard TEXT NOT NULL,            -- why another than the one asked; '': it did
  latency_ns INTEGER NOT NULL
) STRICT;
CREATE INDEX decisions_by_name ON decisions (name);
CREATE INDEX decisions_by_uid ON decisions (uid);
CREATE INDEX decisions_by_request ON decisions (request);
CREATE INDEX decisions_by_time ON decisions (time_us);
CREATE INDEX decisions_by_profile ON decisions (profile);
)";

Status CreateTables(Database& database) {
  // What is freed is given back to the disk; can only be set before the first table.
  if (Status status = database.Run("PRAGMA auto_vacuum = INCREMENTAL"); !status.ok()) return status;
  const std::string marks = absl::StrCat("PRAGMA application_id = ", kApplicationId,
                                         "; PRAGMA user_version = ", kSchema, ";");
  Status status = database.Run("BEGIN IMMEDIATE;" + std::string(kTables) + marks + "COMMIT");
  if (!status.ok()) database.Run("ROLLBACK").IgnoreError();
  return status;
}

}  // namespace

Status PrepareSchema(Database& database, const std::string& file) {
  const Result<int64_t> tables = database.Integer("SELECT count(*) FROM sqlite_schema");
  if (!tables.ok()) return tables.status();
  const Status status = *tables == 0 ? CreateTables(database) : CheckSchema(database, file);
  if (!status.ok()) return status;
  // Readers and the writer do not wait for each other, and the disk is waited for only now and
  // then: what a power cut may take is the last decisions, and never the database.
  return database.Run(
      "PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;"
      "PRAGMA journal_size_limit = 8388608");
}

Status CheckSchema(Database& database, const std::string& file) {
  const Result<int64_t> application = database.Integer("PRAGMA application_id");
  if (!application.ok()) return application.status();
  const Result<int64_t> schema = database.Integer("PRAGMA user_version");
  if (!schema.ok()) return schema.status();
  if (*application != kApplicationId) {
    return absl::InvalidArgumentError(
        file + ": is no decision log: berth serve --decision-log writes them");
  }
  if (*schema == kSchema) return {};
  return absl::InvalidArgumentError(
      absl::StrCat(file, ": is a decision log of schema ", *schema, ", and this program knows ",
                   kSchema, *schema > kSchema ? ": use a newer berth" : ": use an older berth"));
}

}  // namespace berth
