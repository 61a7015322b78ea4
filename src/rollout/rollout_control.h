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

  // Who wants a change, and why: goes into the audit line.
  struct Author {
    std::string who;
    std::string why;
  };

  // `log` outlives this.
  RolloutControl(std::filesystem::path folder, Logger& log);

  // What the file says now. Errors name the file.
  Result<RolloutPlan> Plan() const;

  // Takes the step from what the file says, and replaces the file as a whole. Returns the new plan;
  // the follower takes it up within a few seconds. Blocks on the disk.
  // Errors: the step's; FAILED_PRECONDITION when the plan is frozen; PERMISSION_DENIED when the
  // file cannot be written, as in a mounted ConfigMap: the message has the file to commit instead.
  Result<RolloutPlan> Change(const Author& author, const Step& step);

 private:
  Status Write(const RolloutPlan& plan) const;

  const std::filesystem::path folder_;
  Logger& log_;
  std::mutex mutex_;
};

}  // namespace berth
