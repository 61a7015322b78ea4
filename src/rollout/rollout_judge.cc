#include "rollout/rollout_judge.h"

#include <utility>

#include "rollout/plan_changes.h"

namespace berth {
namespace {

constexpr char kCauses[][12] = {"not_finite", "failed", "guarded", "asked_again"};

// The step, unless somebody else was quicker: what was judged is then another plan.
RolloutControl::Step From(const RolloutPlan& judged,
                          Result<RolloutPlan> (*step)(const RolloutPlan& plan)) {
  return [judged, step](const RolloutPlan& plan) -> Result<RolloutPlan> {
    if (plan == judged) return step(plan);
    return absl::AbortedError("somebody else changed the rollout meanwhile");
  };
}

Result<RolloutPlan> PromoteCanary(const RolloutPlan& plan) { return Promoted(plan); }
Result<RolloutPlan> GoBack(const RolloutPlan& plan) { return RolledBack(plan); }

}  // namespace

RolloutJudge::RolloutJudge(RolloutControl& control, Tallies tallies, Metrics& metrics, Logger& log)
    : control_(control),
      tallies_(std::move(tallies)),
      metrics_(metrics),
      promotions_(metrics.AddCounter("berth_policy_promotions_total",
                                     "Canaries that became active by the conditions of the plan.")),
      log_(log) {
  for (const char* cause : kCauses) RollBacks(cause);  // there from the start, as 0
}

Counter& RolloutJudge::RollBacks(const std::string& cause) {
  return metrics_.AddCounter("berth_policy_rollbacks_total",
                             "Policies that were rolled back because of what they did.",
                             {{"cause", cause}});
}

void RolloutJudge::Look(PolicyFollower& follower) {
  const std::optional<RolloutPlan> plan = follower.plan();
  if (!plan) return;
  const Result<RolloutPlan> file = control_.Plan();
  if (!follower.holds() && (!file.ok() || *file != *plan)) return;
  const RolloutVerdict verdict = JudgeRollout(*plan, tallies_());
  switch (verdict.kind) {
    case RolloutVerdict::Kind::kNothing:
      return;
    case RolloutVerdict::Kind::kNotYet:
      return TellOnce("not promoted: " + verdict.why);
    case RolloutVerdict::Kind::kPromote:
      return Promote(*plan, verdict.why);
    case RolloutVerdict::Kind::kRollBack:
      return RollBack(*plan, verdict, follower);
  }
}

void RolloutJudge::Promote(const RolloutPlan& plan, const std::string& why) {
  const auto changed = control_.Change({"berth", why}, From(plan, PromoteCanary));
  if (changed.ok()) {
    promotions_.Increment();
  } else if (!absl::IsAborted(changed.status())) {
    TellOnce("may be promoted (" + why + "), but " + std::string(changed.status().message()));
  }
}

void RolloutJudge::RollBack(const RolloutPlan& plan, const RolloutVerdict& verdict,
                            PolicyFollower& follower) {
  log_.warn("msg=\"policy is rolled back\" cause={} why={}", verdict.cause, Quoted(verdict.why));
  const auto changed = control_.Change({"berth", verdict.why}, From(plan, GoBack));
  if (!changed.ok() && absl::IsAborted(changed.status()) && !follower.holds()) return;
  RollBacks(verdict.cause).Increment();
  if (changed.ok()) return;
  follower.Hold(*GoBack(plan));
  log_.warn(
      "msg=\"held back in memory, until rollout.yaml is edited: the file itself was not "
      "changed\" why={}",
      Quoted(std::string(changed.status().message())));
}

void RolloutJudge::TellOnce(const std::string& what) {
  if (std::exchange(told_, what) == what) return;
  log_.info("msg=\"canary stays a canary\" why={}", Quoted(what));
}

}  // namespace berth
