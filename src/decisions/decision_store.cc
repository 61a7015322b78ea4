#include "decisions/decision_store.h"

#include <absl/strings/str_cat.h>

#include <utility>

#include "cluster/profile_file.h"
#include "decisions/record_json.h"
#include "decisions/schema.h"
#include "policy/sha256.h"

namespace berth {
namespace {

int64_t Microseconds(WallClock::TimePoint time) {
  return std::chrono::duration_cast<std::chrono::microseconds>(time.time_since_epoch()).count();
}

}  // namespace

Result<DecisionStore> DecisionStore::Open(const std::string& file, const Retention& retention) {
  Result<Database> database = Database::Open(file, Database::Access::kWrite);
  if (!database.ok()) return database.status();
  if (Status status = PrepareSchema(*database, file); !status.ok()) return status;
  return DecisionStore(*std::move(database), retention);
}

Status DecisionStore::Append(std::span<const DecisionRecord> records, WallClock::TimePoint now) {
  if (Status status = database_.Run("BEGIN IMMEDIATE"); !status.ok()) return status;
  Status status = Write(records, now);
  if (status.ok()) status = database_.Run("COMMIT");
  if (status.ok()) return ShrinkFile();
  database_.Run("ROLLBACK").IgnoreError();
  last_profile_ = nullptr;  // it may be that its row has gone with the rest
  return status;
}

Status DecisionStore::Write(std::span<const DecisionRecord> records, WallClock::TimePoint now) {
  for (const DecisionRecord& record : records) {
    if (Status status = Insert(record); !status.ok()) return status;
  }
  if (Status status = DeleteTooOld(now); !status.ok()) return status;
  return DeleteTooMuch();
}

Status DecisionStore::Insert(const DecisionRecord& record) {
  const Result<int64_t> profile = ProfileId(record.profile);
  if (!profile.ok()) return profile.status();
  Result<Statement> insert = database_.Prepare(
      "INSERT INTO decisions (request, time_us, namespace, name, uid, owner, demand, profile,"
      " gpu_load, nodes, feasible, classes, more_classes, node, gpus, asked, version,"
      " policy, guard, latency_ns)"
      " VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?13, ?14, ?15, ?16, ?17, ?18,"
      " ?19, ?20)");
  if (!insert.ok()) return insert.status();
  const std::string node =
      record.classes.empty() ? "" : record.classes.front().example.name().value();
  return insert
      ->Start(static_cast<int64_t>(record.request), Microseconds(record.time),
              record.pod.namespace_name, record.pod.name, record.pod.uid, record.pod.owner,
              DemandJson(record.demand), *profile, int64_t{record.context.gpu_load_bucket},
              record.nodes, record.feasible, ClassesJson(record.classes), record.more_classes, node,
              GpusJson(record.gpus), record.asked, record.version, record.policy, record.guard,
              int64_t{record.latency.count()})
      .status();
}

Result<int64_t> DecisionStore::ProfileId(const WorkloadProfilePtr& profile) {
  if (last_profile_ == profile) return last_profile_id_;
  const std::string mix = ProfileJson(*profile);
  const std::string fleet = FleetJson(profile->fleet());
  const int64_t pods_leave = profile->pods_leave() ? 1 : 0;
  const std::string digest = Sha256Hex(absl::StrCat(mix, "\n", fleet, "\n", pods_leave));
  Result<Statement> insert = database_.Prepare(
      "INSERT OR IGNORE INTO profiles (digest, mix, fleet, pods_leave) VALUES (?1, ?2, ?3, ?4)");
  if (!insert.ok()) return insert.status();
  if (auto added = insert->Start(digest, mix, fleet, pods_leave); !added.ok()) {
    return added.status();
  }
  Result<Statement> find = database_.Prepare("SELECT id FROM profiles WHERE digest = ?1");
  if (!find.ok()) return find.status();
  if (auto found = find->Start(digest); !found.ok()) return found.status();
  last_profile_ = profile;
  last_profile_id_ = find->Integer(0);
  return last_profile_id_;
}

Status DecisionStore::DeleteTooOld(WallClock::TimePoint now) {
  Result<Statement> remove = database_.Prepare("DELETE FROM decisions WHERE time_us < ?1");
  if (!remove.ok()) return remove.status();
  const Result<bool> removed = remove->Start(Microseconds(now - retention_.max_age));
  if (!removed.ok()) return removed.status();
  return database_.Changes() > 0 ? DeleteUnusedProfiles() : absl::OkStatus();
}

// In steps of a sixteenth of the decisions, so that it is seldom.
Status DecisionStore::DeleteTooMuch() {
  Result<int64_t> used = UsedBytes();
  if (!used.ok() || *used <= retention_.max_bytes) return used.status();
  while (used.ok() && *used > retention_.max_bytes) {
    const Status removed = database_.Run(
        "DELETE FROM decisions WHERE id <= (SELECT min(id) + (max(id) - min(id)) / 16"
        " FROM decisions)");
    if (!removed.ok()) return removed;
    if (database_.Changes() == 0) break;  // an empty database is larger than that
    used = UsedBytes();
  }
  if (!used.ok()) return used.status();
  return DeleteUnusedProfiles();
}

Status DecisionStore::DeleteUnusedProfiles() {
  last_profile_ = nullptr;
  return database_.Run("DELETE FROM profiles WHERE id NOT IN (SELECT profile FROM decisions)");
}

Status DecisionStore::ShrinkFile() {
  const Result<int64_t> pages = database_.Integer("PRAGMA page_count");
  const Result<int64_t> page_bytes = database_.Integer("PRAGMA page_size");
  if (!pages.ok()) return pages.status();
  if (!page_bytes.ok()) return page_bytes.status();
  if (*pages * *page_bytes <= retention_.max_bytes) return {};
  return database_.Run("PRAGMA incremental_vacuum");
}

Result<int64_t> DecisionStore::UsedBytes() {
  const Result<int64_t> used = database_.Integer(
      "SELECT (page_count - freelist_count) * page_size"
      " FROM pragma_page_count, pragma_freelist_count, pragma_page_size");
  return used;
}

}  // namespace berth
