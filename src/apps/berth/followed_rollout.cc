#include "apps/berth/followed_rollout.h"

#include <absl/strings/str_cat.h>
#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "policy/heuristics.h"
#include "rollout/mounted.h"
#include "rollout/rollout_plan.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

RolloutControl::Audit Appending(const AuditLog& audit, bool wanted) {
  if (!wanted) return nullptr;
  return [&audit](const RolloutControl::Author& author, const RolloutControl::Proposal& change) {
    return audit.Append(author, change);
  };
}

}  // namespace

FollowedRollout::FollowedRollout(const fs::path& folder, const std::string& audit_log,
                                 PolicyFollower follower, const PolicySlot& policies,
                                 PolicyProbation& probation, const Clock& clock,
                                 const WallClock& wall_clock, Metrics& metrics, Logger& log)
    : audit(audit_log, wall_clock),
      control(folder, log, Appending(audit, !audit_log.empty())),
      watch(policies, clock, metrics, log),
      decisions(
          [this](const std::vector<DecisionPtr>& waiting) {
            for (const DecisionPtr& decision : waiting) watch.Watch(*decision);
          },
          metrics.AddCounter("berth_unwatched_decisions_total",
                             "Decisions that came faster than they could be compared.")),
      judge(
          control, [this] { return watch.Tallies(); }, metrics, log),
      following(std::move(follower), [this](PolicyFollower& looked) { judge.Look(looked); }),
      admin{
          .folder = folder,
          .control = control,
          .check = [folder, &probation](
                       const std::string& name) { return CheckPolicyOf(folder, name, probation); },
          .tallies = [this] { return watch.Tallies(); },
          .refused = [this] { return following.Problem(); }} {}

Status CheckRolloutOptions(const fs::path& folder, const std::string& audit_log,
                           const WallClock& wall_clock) {
  const fs::path file = folder / kRolloutFile;
  std::error_code error;
  if (!fs::exists(file, error)) {
    return absl::NotFoundError(absl::StrCat("--policies ", folder.string(), ": there is no ",
                                            file.string(),
                                            ", with a line such as `active: berth`"));
  }
  if (audit_log.empty()) return {};
  const Status writable = AuditLog(audit_log, wall_clock).Check();
  return writable.ok() ? writable
                       : Status(writable.code(), absl::StrCat("--audit-log ", writable.message()));
}

Result<CheckedPolicy> CheckPolicyOf(const fs::path& folder, const std::string& name,
                                    PolicyProbation& probation) {
  const fs::path directory = WhereFilesLie(folder) / name;
  std::error_code error;
  if (!fs::is_directory(directory, error)) {
    const std::vector<std::string_view> built_in = HeuristicNames();
    if (std::ranges::find(built_in, name) != built_in.end()) {
      return CheckedPolicy{.name = name, .version = {}, .sha256 = {}};
    }
    return absl::NotFoundError(
        fmt::format("there is no directory {}, and no built-in policy of that name ({})",
                    (folder / name).string(), fmt::join(built_in, ", ")));
  }
  const Result<AdmittedPolicy> admitted = probation.Admit(WhereFilesLie(directory));
  if (!admitted.ok()) return admitted.status();
  const PolicyManifest& manifest = admitted->file.manifest;
  return CheckedPolicy{.name = manifest.name,
                       .version = manifest.version,
                       .sha256 = manifest.sha256,
                       .forward = admitted->report.forward};
}

}  // namespace berth
