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

}  // namespace

RolloutControl::RolloutControl(fs::path folder, Logger& log)
    : folder_(std::move(folder)), log_(log) {}

Result<RolloutPlan> RolloutControl::Plan() const {
  const Result<std::string> text =
      ReadBounded(WhereFilesLie(folder_) / kRolloutFile, kMaxPlanBytes);
  if (!text.ok()) return text.status();
  Result<RolloutPlan> plan = ParseRolloutPlan(*text);
  if (plan.ok()) return plan;
  return Status(plan.status().code(), fmt::format("{}: {}", (folder_ / kRolloutFile).string(),
                                                  std::string(plan.status().message())));
}

Result<RolloutPlan> RolloutControl::Change(const Author& author, const Step& step) {
  const std::lock_guard lock(mutex_);
  const Result<RolloutPlan> before = Plan();
  if (!before.ok()) return before;
  if (before->frozen) {
    return absl::FailedPreconditionError(fmt::format(
        "{}: is frozen: take `frozen: true` out of it first", (folder_ / kRolloutFile).string()));
  }
  Result<RolloutPlan> after = step(*before);
  if (!after.ok()) return after;
  if (Status written = Write(*after); !written.ok()) return written;
  log_.info("msg=\"rollout changed\" who={} why={} from={} to={}", Quoted(author.who),
            Quoted(author.why), Quoted(Described(*before)), Quoted(Described(*after)));
  return after;
}

// Only what is no mount can be replaced: the kubelet would put back what it has.
Status RolloutControl::Write(const RolloutPlan& plan) const {
  const fs::path file = folder_ / kRolloutFile;
  const auto commit_instead = [&](std::string_view why) {
    return absl::PermissionDeniedError(
        fmt::format("{} cannot be written ({}): put this there yourself:\n{}", file.string(), why,
                    RolloutYaml(plan)));
  };
  if (IsMounted(folder_)) return commit_instead("it is mounted");
  Status status = StageFile(file, RolloutYaml(plan));
  if (status.ok()) status = PublishFile(file);
  return status.ok() ? status : commit_instead(std::string(status.message()));
}

}  // namespace berth
