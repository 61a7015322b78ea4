#include "rollout/role_record.h"

#include <algorithm>

namespace berth {

void RoleRecord::BeAbout(const ServedPolicyPtr& policy) {
  if (policy == policy_) return;
  *this = RoleRecord(role_);
  policy_ = policy;
}

void RoleRecord::NoteAnswer(Guard guard, std::chrono::nanoseconds took) {
  times_.Add(took);
  if (guard != Guard::kNone) ++counts_.guarded;
  recent_.push_back({.guard = guard});
  if (recent_.size() > RecentDecisions::kMost) recent_.pop_front();
}

void RoleRecord::NoteChoice(bool differs, double regret, int64_t asked) {
  ++counts_.decisions;
  if (differs) ++counts_.differ;
  regret_milli_ += regret;
  asked_milli_ += asked;
}

void RoleRecord::NoteAskedAgain() {
  ++counts_.asked_again;
  if (!recent_.empty()) ++recent_.back().asked_again;
}

double RoleRecord::Regret() const {
  return asked_milli_ > 0 ? regret_milli_ / static_cast<double>(asked_milli_) : 0;
}

PolicyTally RoleRecord::Tally() const {
  PolicyTally tally = counts_;
  tally.role = role_;
  tally.policy = TextOf(*policy_);
  tally.regret = Regret();
  tally.p50 = times_.Quantile(0.5);
  tally.p99 = times_.Quantile(0.99);
  tally.recent = Recent();
  return tally;
}

RecentDecisions RoleRecord::Recent() const {
  RecentDecisions recent{.decisions = static_cast<int>(recent_.size())};
  for (const Outcome& outcome : recent_) {
    switch (outcome.guard) {
      case Guard::kNone:
        break;
      case Guard::kNotFinite:
        ++recent.not_finite;
        break;
      case Guard::kError:
      case Guard::kDeadline:
        ++recent.failed;
        break;
      case Guard::kRegret:
      case Guard::kRanges:
        ++recent.guarded;
        break;
    }
    recent.asked_again += outcome.asked_again;
  }
  return recent;
}

}  // namespace berth
