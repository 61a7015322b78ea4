#pragma once

#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/log.h"
#include "base/metrics.h"
#include "berth/result.h"
#include "policy/policy_slot.h"
#include "rollout/rollout_plan.h"

namespace berth {

// Puts those policies in charge which the rollout.yaml of a directory names, and keeps looking: so
// a restart, another replica and a copy from a repository come to the same state. The directory may
// be plain, or mounted from a ConfigMap or Secret (rollout/mounted.h).
//
// A change is taken up once two looks in a row have seen the same, so a file that is being copied
// is left alone. What counts is content: files that were only touched change nothing. Where the
// plan or one of its policies is wrong, whoever is in charge stays, and each such state is told
// once.
//
// Counts berth_policy_loads_total{outcome=swapped|refused}; berth_policy_wanted_is_refused is 1 as
// long as the directory asks for what cannot be had, berth_policy_rollback_held as long as it is
// told to Hold. Not thread-safe, but the slot may be used
// meanwhile by anybody.
class PolicyFollower {
 public:
  static constexpr int kLooksToTakeUp = 2;

  // Loads the policy in a directory, or the built-in one of a name, ready to serve. May take long.
  using Load = std::function<Result<ServedPolicy>(const std::string& directory_or_name)>;

  // Everything outlives this. `slot` holds what serves until the first policy is loaded.
  PolicyFollower(std::filesystem::path folder, Load load, PolicySlot& slot, Metrics& metrics,
                 Logger& log);

  // Looks, and swaps where there is something new to put in charge. Also lets go of policies that
  // no request uses any more.
  void Look();

  // Why what the directory asks for is not in charge; empty: it is, as far as the last look could
  // tell.
  const std::string& problem() const { return problem_; }

  // The plan that is in charge; empty before there is one, and while what the last look saw is not.
  std::optional<RolloutPlan> plan() const;

  // From the next looks on the other plan counts, for as long as the text of rollout.yaml is the
  // same as in the last look: whoever edits it decides anew.
  // REQUIRES: there is a plan().
  void Hold(RolloutPlan instead);
  bool holds() const { return held_.has_value(); }

 private:
  // A policy that the plan names, and all that loading it depends on, as far as it can be told
  // without reading large files.
  struct Wanted {
    std::string path;                  // the directory that the name leads to, or a built-in policy
    std::array<std::string, 2> files;  // inode, size and times of policy.pt and manifest.json

    bool operator==(const Wanted&) const = default;
  };
  struct Seen {
    std::string plan_text;
    RolloutPlan plan;
    Wanted active, shadow, canary;  // without a path: none

    bool operator==(const Seen&) const = default;
  };
  // The policies that serve, by their content: what stays is not loaded again.
  using Loaded = std::map<std::string, ServedPolicyPtr>;

  // A plan that counts in place of what a file of this text says.
  struct Held {
    std::string text;
    RolloutPlan plan;
  };

  Result<Seen> See();
  Result<RolloutPlan> PlanOf(const std::string& text);
  void TakeUp(const Seen& seen);
  Result<PolicyRoutes> RoutesFor(const Seen& seen, Loaded& loaded) const;
  Result<ServedPolicyPtr> Obtain(const Wanted& wanted, Loaded& loaded) const;
  void PutInCharge(PolicyRoutes routes);
  void Refuse(const Status& why);
  void LetGo();

  const std::filesystem::path folder_;
  const Load load_;
  PolicySlot& slot_;
  Counter& swapped_;
  Counter& refused_;
  Gauge& wanted_is_refused_;
  Gauge& rollback_held_;
  Logger& log_;
  std::optional<Seen> last_;      // of the last look
  std::optional<Seen> taken_up_;  // last, whatever came of it
  std::string problem_;           // that was told last; empty: none
  std::optional<Held> held_;
  Loaded serving_;
  std::vector<PolicyRoutesPtr> retired_;
};

}  // namespace berth
