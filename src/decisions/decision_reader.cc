#include "decisions/decision_reader.h"

#include <absl/strings/numbers.h>
#include <absl/strings/str_cat.h>

#include <filesystem>
#include <memory>
#include <utility>

#include "cluster/profile_file.h"
#include "decisions/record_json.h"
#include "decisions/schema.h"

namespace berth {
namespace {

enum Column {
  kId,
  kRequest,
  kTime,
  kNamespace,
  kName,
  kUid,
  kOwner,
  kDemand,
  kGpuLoad,
  kNodes,
  kFeasible,
  kClasses,
  kMoreClasses,
  kGpus,
  kAsked,
  kVersion,
  kPolicy,
  kGuard,
  kLatency,
  kProfile,
  kMix,
  kFleet,
  kPodsLeave,
};

constexpr char kSelect[] =
    "SELECT d.id, request, time_us, namespace, name, uid, owner, demand, gpu_load, nodes, feasible,"
    " classes, more_classes, gpus, asked, version, policy, guard, latency_ns, profile, mix, fleet, "
    "pods_leave"
    " FROM decisions AS d JOIN profiles AS p ON d.profile = p.id ";

constexpr char kOfPod[] =
    "(uid = ?1 OR request = ?2 OR (name = ?3 AND (?4 = '' OR namespace = ?4)))";

// What a person calls a pod.
struct PodName {
  std::string text;
  int64_t request = -1;
  std::string name;
  std::string namespace_name;  // empty: any
};

PodName ReadPodName(const std::string& text) {
  PodName pod{.text = text, .name = text};
  if (!absl::SimpleAtoi(text, &pod.request)) pod.request = -1;
  const size_t slash = text.find('/');
  if (slash == std::string::npos) return pod;
  pod.namespace_name = text.substr(0, slash);
  pod.name = text.substr(slash + 1);
  return pod;
}

// Keeps the first error of several parts.
template <class T>
void Take(Result<T> part, T& into, Status& status) {
  if (part.ok()) {
    into = *std::move(part);
  } else if (status.ok()) {
    status = part.status();
  }
}

}  // namespace

Result<DecisionReader> DecisionReader::Open(const std::string& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored)) {
    return absl::NotFoundError(file +
                               ": there is no such file: berth serve --decision-log writes one");
  }
  Result<Database> database = Database::Open(file, Database::Access::kRead);
  if (!database.ok()) return database.status();
  if (Status status = CheckSchema(*database, file); !status.ok()) return status;
  return DecisionReader(file, *std::move(database));
}

Result<PodDecisions> DecisionReader::OfPod(const std::string& text) {
  const PodName pod = ReadPodName(text);
  Result<Statement> count = database_.Prepare(
      absl::StrCat("SELECT count(*), count(DISTINCT namespace), min(namespace), max(namespace)"
                   " FROM decisions WHERE ",
                   kOfPod));
  if (!count.ok()) return count.status();
  const auto counted = count->Start(pod.text, pod.request, pod.name, pod.namespace_name);
  if (!counted.ok()) return counted.status();
  PodDecisions decisions{.count = count->Integer(0)};
  if (decisions.count == 0) {
    return absl::NotFoundError(absl::StrCat(
        file_, ": has no decision about ", text,
        ": say namespace/name, a UID or the number of a request; older ones may have left"));
  }
  if (count->Integer(1) > 1) {
    return absl::InvalidArgumentError(
        absl::StrCat(file_, ": ", text, " is a pod of several namespaces: say which, such as ",
                     count->Text(2), "/", text, " or ", count->Text(3), "/", text));
  }
  count->Reset();
  Result<Statement> newest =
      database_.Prepare(absl::StrCat(kSelect, "WHERE ", kOfPod, " ORDER BY d.id DESC LIMIT 1"));
  if (!newest.ok()) return newest.status();
  const auto found = newest->Start(pod.text, pod.request, pod.name, pod.namespace_name);
  if (!found.ok()) return found.status();
  Result<DecisionRecord> record = Read(*newest);
  if (!record.ok()) return record.status();
  decisions.last = *std::move(record);
  return decisions;
}

Result<std::vector<DecisionRecord>> DecisionReader::Next(int64_t most) {
  Result<Statement> rows =
      database_.Prepare(absl::StrCat(kSelect, "WHERE d.id > ?1 ORDER BY d.id LIMIT ?2"));
  if (!rows.ok()) return rows.status();
  std::vector<DecisionRecord> records;
  for (Result<bool> row = rows->Start(last_id_, most);; row = rows->Next()) {
    if (!row.ok()) return row.status();
    if (!*row) return records;
    Result<DecisionRecord> record = Read(*rows);
    if (!record.ok()) return record.status();
    records.push_back(*std::move(record));
    last_id_ = rows->Integer(kId);
  }
}

Result<DecisionRecord> DecisionReader::Read(const Statement& row) {
  Status status;
  DecisionRecord record;
  record.request = static_cast<uint64_t>(row.Integer(kRequest));
  record.time = WallClock::TimePoint(std::chrono::microseconds(row.Integer(kTime)));
  record.pod = {row.Text(kNamespace), row.Text(kName), row.Text(kUid), row.Text(kOwner)};
  Take(ParseDemand(row.Text(kDemand)), record.demand, status);
  Take(ReadProfile(row), record.profile, status);
  record.context.gpu_load_bucket = static_cast<int>(row.Integer(kGpuLoad));
  record.nodes = row.Integer(kNodes);
  record.feasible = row.Integer(kFeasible);
  Take(ParseClasses(row.Text(kClasses)), record.classes, status);
  record.more_classes = row.Integer(kMoreClasses);
  Take(ParseGpus(row.Text(kGpus)), record.gpus, status);
  record.asked = row.Text(kAsked);
  record.version = row.Text(kVersion);
  record.policy = row.Text(kPolicy);
  record.guard = row.Text(kGuard);
  record.latency = std::chrono::nanoseconds(row.Integer(kLatency));
  if (status.ok() && !record.classes.empty() &&
      !AreFree(record.gpus, record.classes.front().example.free, record.demand)) {
    status = absl::InvalidArgumentError("gpus: should be free ones of the first class");
  }
  if (status.ok()) return record;
  return absl::InvalidArgumentError(
      absl::StrCat(file_, ": decision ", row.Integer(kId), ": ", status.message()));
}

// Decisions that follow each other mostly have one profile.
Result<WorkloadProfilePtr> DecisionReader::ReadProfile(const Statement& row) {
  if (profile_ != nullptr && profile_id_ == row.Integer(kProfile)) return profile_;
  const Result<WorkloadProfile> mix = ParseProfile(row.Text(kMix), "mix");
  if (!mix.ok()) return mix.status();
  const Result<Fleet> fleet = ParseFleet(row.Text(kFleet));
  if (!fleet.ok()) return fleet.status();
  profile_ = std::make_shared<const WorkloadProfile>(
      mix->WithDepartures(row.Integer(kPodsLeave) != 0).On(*fleet));
  profile_id_ = row.Integer(kProfile);
  return profile_;
}

}  // namespace berth
