#include "rollout/rollout_watch.h"

#include <array>
#include <utility>

#include "policy/node_groups.h"
#include "policy/ranking.h"

namespace berth {
namespace {

const Node& FirstOf(const Ranking& ranking, const Decision& decision) {
  return *decision.candidates[ranking.order.front()];
}

// What a policy chooses on the node that it ranks first.
Choice ChosenBy(const Scorer& policy, const Ranking& ranking, const Decision& decision) {
  return ChoiceOn(FirstOf(ranking, decision), policy, decision.demand, decision.cluster->profile());
}

bool AreSame(const Choice& choice, const Choice& other) {
  const std::array<const Node*, 2> nodes = {choice.node, other.node};
  return GroupEqualNodes(nodes).nodes.size() == 1;
}

bool HasChoice(const Decision& decision) { return decision.ranking.feasible > 1; }

}  // namespace

RolloutWatch::RolloutWatch(const PolicySlot& policies, const Clock& clock, Metrics& metrics,
                           Logger& log)
    : policies_(policies),
      clock_(clock),
      log_(log),
      canary_counts_(AddCounts(metrics, "canary")),
      shadow_counts_(AddCounts(metrics, "shadow")) {}

RolloutWatch::Counts RolloutWatch::AddCounts(Metrics& metrics, const std::string& role) {
  const auto outcome = [&](const std::string& name) -> Counter& {
    return metrics.AddCounter(
        "berth_watched_decisions_total",
        "Decisions of a canary or shadow, beside those of the policy it is compared with.",
        {{"role", role}, {"outcome", name}});
  };
  return {outcome("same"), outcome("differs"), outcome("failed"),
          metrics.AddGauge("berth_policy_regret",
                           "By how much more its choices fragment GPUs, over the GPUs asked for.",
                           {{"role", role}})};
}

std::vector<PolicyTally> RolloutWatch::Tallies() const {
  const PolicyRoutesPtr routes = policies_.Get();
  const ServedPolicyPtr canary = routes->canary ? routes->canary->policy : nullptr;
  std::vector<PolicyTally> tallies;
  const std::lock_guard lock(mutex_);
  const auto add = [&](const RoleRecord& record, const ServedPolicyPtr& policy) {
    if (policy != nullptr && record.policy() == policy) tallies.push_back(record.Tally());
  };
  add(active_, routes->active);
  add(canary_, canary);
  add(shadow_, routes->shadow);
  return tallies;
}

void RolloutWatch::Watch(const Decision& decision) {
  const PolicyRoutesPtr routes = policies_.Get();
  FollowRoles(*routes);
  NoteReturn(decision);
  if (decision.ranking.feasible == 0) return;
  NoteAnswer(decision);
  if (!HasChoice(decision)) return;
  CompareCanary(decision, *routes);
  AskShadow(decision, *routes);
}

void RolloutWatch::FollowRoles(const PolicyRoutes& routes) {
  const std::lock_guard lock(mutex_);
  active_.BeAbout(routes.active);
  canary_.BeAbout(routes.canary ? routes.canary->policy : nullptr);
  shadow_.BeAbout(routes.shadow);
}

// REQUIRES: mutex_ is held. Null: it has no role any more.
RoleRecord* RolloutWatch::RecordOf(const ServedPolicy* policy) {
  for (RoleRecord* record : {&canary_, &active_}) {
    if (record->policy().get() == policy) return record;
  }
  return nullptr;
}

// Who had an answer and asks again was bound nowhere: binding failed, or another plugin refused.
void RolloutWatch::NoteReturn(const Decision& decision) {
  const auto found = answered_.find(decision.pod.uid);
  if (found == answered_.end()) return;
  const std::lock_guard lock(mutex_);
  if (RoleRecord* record = RecordOf(found->second)) record->NoteAskedAgain();
  found->second = nullptr;  // told once
}

void RolloutWatch::NoteAnswer(const Decision& decision) {
  const auto [place, added] = answered_.insert_or_assign(decision.pod.uid, decision.served.get());
  if (added) pods_.push_back(place->first);
  if (pods_.size() > kPods) {
    answered_.erase(pods_.front());
    pods_.pop_front();
  }
  const std::lock_guard lock(mutex_);
  RoleRecord* record = RecordOf(decision.served.get());
  if (record == nullptr) return;
  record->NoteAnswer(decision.ranking.guard, decision.latency);
  if (record == &active_ && HasChoice(decision)) record->NoteChoice(false, 0, 0);
}

// What the canary chose, beside what the active policy would have.
void RolloutWatch::CompareCanary(const Decision& decision, const PolicyRoutes& routes) {
  if (!routes.canary || decision.served.get() != routes.canary->policy.get()) return;
  const Scorer& active = *routes.active->scorer;
  const Result<Ranking> other =
      Rank(active, decision.cluster, decision.demand, decision.candidates);
  if (!other.ok()) return;
  NoteChoice(canary_, canary_counts_,
             ChosenBy(*decision.served->scorer, decision.ranking, decision),
             ChosenBy(active, *other, decision), decision);
}

// What the shadow would have chosen, beside what was chosen.
void RolloutWatch::AskShadow(const Decision& decision, const PolicyRoutes& routes) {
  if (routes.shadow == nullptr) return;
  const Scorer& shadow = *routes.shadow->scorer;
  const Clock::TimePoint start = clock_.Now();
  const Result<Ranking> ranking =
      Rank(shadow, decision.cluster, decision.demand, decision.candidates);
  const std::chrono::nanoseconds took = clock_.Now() - start;
  const Guard guard = ranking.ok() ? ranking->guard : Guard::kError;
  {
    const std::lock_guard lock(mutex_);
    shadow_.NoteAnswer(guard, took);
  }
  if (guard != Guard::kNone) {
    shadow_counts_.failed.Increment();
    if (std::exchange(shadow_failed_, true)) return;
    log_.warn("msg=\"the shadow fails; nobody relies on it\" policy={}",
              Quoted(TextOf(*routes.shadow)));
    return;
  }
  shadow_failed_ = false;
  NoteChoice(shadow_, shadow_counts_, ChosenBy(shadow, *ranking, decision),
             ChosenBy(*decision.served->scorer, decision.ranking, decision), decision);
}

void RolloutWatch::NoteChoice(RoleRecord& record, Counts& counts, const Choice& choice,
                              const Choice& other, const Decision& decision) {
  const bool differs = !AreSame(choice, other);
  const double regret = ChoiceRegret(choice, other, decision.demand, decision.cluster->profile());
  (differs ? counts.differs : counts.same).Increment();
  const int64_t asked = decision.demand.per_gpu.value() * decision.demand.gpus;
  const std::lock_guard lock(mutex_);
  record.NoteChoice(differs, regret, asked);
  counts.regret.Set(record.Regret());
}

}  // namespace berth
