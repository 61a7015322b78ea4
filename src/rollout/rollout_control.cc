#include "rollout/rollout_control.h"

#include <fmt/format.h>

#include <utility>

#include "base/bounded_file.h"
#include "base/staged_file.h"
#include "rollout/mounted.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

std::string Described(const RolloutPlan& plan) {
  std::string yaml = RolloutYaml(plan);
  yaml.pop_back();
  return yaml;
}

// A step may come from outside, so its names may hold anything: what is written must be read as
// what was meant, but for the digits of a condition.
Status CheckReadsBack(const RolloutPlan& plan) {
  const std::string yaml = RolloutYaml(plan);
  if (yaml.size() > kMaxPlanBytes) {
    return absl::InvalidArgumentError(
        fmt::format("the new {} would have {} bytes, may have {}: name fewer namespaces and pools",
                    kRolloutFile, yaml.size(), kMaxPlanBytes));
  }
  Result<RolloutPlan> read = ParseRolloutPlan(yaml);
  if (!read.ok()) {
    return absl::InvalidArgumentError(
        fmt::format("the new {}: {}", kRolloutFile, std::string(read.status().message())));
  }
  if (read->promote && plan.promote) read->promote = plan.promote;
  if (*read == plan) return {};
  return absl::InvalidArgumentError(
      "names are of letters, digits, '-', '_' and '.', at most 63, and numbers are not below 0");
}

}  // namespace

RolloutControl::RolloutControl(fs::path folder, Logger& log, Audit audit)
    : folder_(std::move(folder)), log_(log), audit_(std::move(audit)) {}

Result<RolloutPlan> RolloutControl::Plan() const {
  const Result<std::string> text =
      ReadBounded(WhereFilesLie(folder_) / kRolloutFile, kMaxPlanBytes);
  if (!text.ok()) return text.status();
  return ParseRolloutFile(File(), *text);
}

Result<RolloutControl::Proposal> RolloutControl::Propose(const Step& step) const {
  const Result<RolloutPlan> before = Plan();
  if (!before.ok()) return before.status();
  if (before->frozen) {
    return absl::FailedPreconditionError(
        fmt::format("{}: is frozen: take `frozen: true` out of it first", File().string()));
  }
  Result<RolloutPlan> after = step(*before);
  if (!after.ok()) return after.status();
  if (Status sound = CheckReadsBack(*after); !sound.ok()) return sound;
  return Proposal{*before, *std::move(after)};
}

Result<RolloutPlan> RolloutControl::Change(const Author& author, const Step& step) {
  const std::lock_guard lock(mutex_);
  Result<Proposal> change = Propose(step);
  if (!change.ok()) return change.status();
  if (Status staged = Stage(change->after); !staged.ok()) return staged;
  if (Status published = Publish(author, *change); !published.ok()) return published;
  log_.info("msg=\"rollout changed\" who={} peer={} why={} from={} to={}", Quoted(author.who),
            Quoted(author.peer), Quoted(author.why), Quoted(Described(change->before)),
            Quoted(Described(change->after)));
  return std::move(change->after);
}

// Only what is no mount can be replaced: the kubelet would put back what it has.
Status RolloutControl::Stage(const RolloutPlan& plan) const {
  if (IsMounted(folder_)) return CommitInstead(plan, "it is mounted");
  const Status staged = StageFile(File(), RolloutYaml(plan));
  return staged.ok() ? staged : CommitInstead(plan, std::string(staged.message()));
}

// Audits as late as can be, so that what is audited was changed.
Status RolloutControl::Publish(const Author& author, const Proposal& change) const {
  const Status audited = audit_ ? audit_(author, change) : Status();
  if (audited.ok()) {
    const Status published = PublishFile(File());
    return published.ok() ? published
                          : CommitInstead(change.after, std::string(published.message()));
  }
  DropStagedFile(File());
  log_.warn("msg=\"rollout not changed, because the change cannot be audited\" who={} error={}",
            Quoted(author.who), Quoted(std::string(audited.message())));
  return absl::UnavailableError(fmt::format("the rollout stays as it is, because the audit log {}",
                                            std::string(audited.message())));
}

Status RolloutControl::CommitInstead(const RolloutPlan& plan, std::string_view why) const {
  return absl::PermissionDeniedError(
      fmt::format("{} cannot be written ({}): put this there yourself:\n{}", File().string(), why,
                  RolloutYaml(plan)));
}

}  // namespace berth
