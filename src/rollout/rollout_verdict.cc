#include "rollout/rollout_verdict.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

namespace berth {
namespace {

using Kind = RolloutVerdict::Kind;
using Limits = RollBackLimits;

const PolicyTally* Find(std::span<const PolicyTally> tallies, PolicyRole role) {
  const auto found = std::ranges::find(tallies, role, &PolicyTally::role);
  return found == tallies.end() ? nullptr : &*found;
}

double Share(int some, int all) { return all > 0 ? static_cast<double>(some) / all : 0; }

double MostAskedAgain(const PolicyTally* active) {
  if (active == nullptr) return Limits::kAskedAgain;
  const double usual = Share(active->recent.asked_again, active->recent.decisions);
  return std::max(Limits::kAskedAgain, Limits::kAskedAgainTimesActive * usual);
}

// Whether the policy does harm. `active` is what else answers; null: nothing.
RolloutVerdict CheckHarm(const PolicyTally& tally, const PolicyTally* active) {
  const RecentDecisions& recent = tally.recent;
  const auto roll_back = [&](const char* cause, int count, const char* what) {
    return RolloutVerdict{Kind::kRollBack, cause,
                          fmt::format("{}: {} of the last {} answers {}", tally.policy, count,
                                      recent.decisions, what)};
  };
  if (recent.not_finite > 0) {
    return roll_back("not_finite", recent.not_finite, "had a score that is not finite");
  }
  if (recent.decisions < Limits::kLeastDecisions) return {};
  if (Share(recent.failed, recent.decisions) > Limits::kFailed) {
    return roll_back("failed", recent.failed, "failed or were late");
  }
  if (Share(recent.guarded, recent.decisions) > Limits::kGuarded) {
    return roll_back("guarded", recent.guarded, "were taken away from it by a guard");
  }
  if (Share(recent.asked_again, recent.decisions) > MostAskedAgain(active)) {
    return roll_back("asked_again", recent.asked_again, "did not get the pod bound");
  }
  return {};
}

// What the canary lacks, with numbers.
std::vector<std::string> Lacking(const PromotionPlan& promote, const PolicyTally& canary) {
  std::vector<std::string> lacking;
  if (promote.max_regret && canary.regret > *promote.max_regret) {
    lacking.push_back(fmt::format("its regret is {:.3g}%, may be {:.3g}%", 100 * canary.regret,
                                  100 * *promote.max_regret));
  }
  if (promote.max_p99 && canary.p99 > *promote.max_p99) {
    const std::chrono::duration<double, std::milli> is = canary.p99, may_be = *promote.max_p99;
    lacking.push_back(
        fmt::format("its p99 is {:.4g} ms, may be {:.4g} ms", is.count(), may_be.count()));
  }
  return lacking;
}

RolloutVerdict CheckPromotion(const PromotionPlan& promote, const PolicyTally& canary) {
  if (canary.decisions < promote.decisions) return {};
  const std::vector<std::string> lacking = Lacking(promote, canary);
  if (!lacking.empty()) {
    return {Kind::kNotYet, "", fmt::format("{}: {}", canary.policy, fmt::join(lacking, "; "))};
  }
  const std::chrono::duration<double, std::milli> p99 = canary.p99;
  return {Kind::kPromote, "",
          fmt::format("{}: {} decisions, regret {:.3g}%, p99 {:.3g} ms", canary.policy,
                      canary.decisions, 100 * canary.regret, p99.count())};
}

}  // namespace

RolloutVerdict JudgeRollout(const RolloutPlan& plan, std::span<const PolicyTally> tallies) {
  const PolicyTally* active = Find(tallies, PolicyRole::kActive);
  const PolicyTally* canary = Find(tallies, PolicyRole::kCanary);
  if (!plan.canary) {
    const bool can_go_back = active != nullptr && !plan.previous.empty();
    return can_go_back ? CheckHarm(*active, nullptr) : RolloutVerdict();
  }
  if (canary == nullptr) return {};
  const RolloutVerdict harm = CheckHarm(*canary, active);
  if (harm.kind != Kind::kNothing || !plan.promote) return harm;
  return CheckPromotion(*plan.promote, *canary);
}

}  // namespace berth
