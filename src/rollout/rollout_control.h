#pragma once

#include <filesystem>
#include <functional>
#include <mutex>
#include <string>

#include "base/log.h"
#include "berth/result.h"
#include "rollout/rollout_plan.h"

namespace berth {

// Changes the rollout.yaml of a directory, which PolicyFollower follows. Everybody who changes it
// from within this program does so here, one after the other. Thread-safe.
class RolloutControl {
 public:
  using Step = std::function<Result<RolloutPlan>(RolloutPlan)>;

  // Who wants a change, and why: goes into the audit.
  struct Author {
    std::string who;
    std::string why;
    std::string peer = "";  // the address that asked; empty: this program itself
  };

  struct Proposal {
    RolloutPlan before, after;
  };

  // Keeps who changes what, before it is changed; an error keeps the change from being made.
  using Audit = std::function<Status(const Author& author, const Proposal& change)>;

  // `log` outlives this. Without an audit, the log line is all that is kept.
  RolloutControl(std::filesystem::path folder, Logger& log, Audit audit = nullptr);

  // What the file says now. Errors name the file.
  Result<RolloutPlan> Plan() const;

  // What the step would make of what the file says now. Writes nothing.
  // Errors: the step's; FAILED_PRECONDITION when the plan is frozen; INVALID_ARGUMENT when the step
  // leads to a plan that rollout.yaml cannot hold.
  Result<Proposal> Propose(const Step& step) const;

  // Takes the step from what the file says, and replaces the file as a whole. Returns the new plan;
  // the follower takes it up within a few seconds. Blocks on the disk.
  // Errors: those of Propose; PERMISSION_DENIED when the file cannot be written, as in a mounted
  // ConfigMap: the message has the file to commit instead, from its second line on; UNAVAILABLE
  // when the change cannot be audited.
  Result<RolloutPlan> Change(const Author& author, const Step& step);

 private:
  Status Stage(const RolloutPlan& plan) const;
  Status Publish(const Author& author, const Proposal& change) const;
  Status CommitInstead(const RolloutPlan& plan, std::string_view why) const;
  std::filesystem::path File() const { return folder_ / kRolloutFile; }

  const std::filesystem::path folder_;
  Logger& log_;
  const Audit audit_;
  std::mutex mutex_;
};

}  // namespace berth
