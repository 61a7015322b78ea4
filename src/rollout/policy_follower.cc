#include "rollout/policy_follower.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <utility>

#include "base/bounded_file.h"
#include "base/check.h"
#include "policy/sha256.h"
#include "rollout/mounted.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxPolicyBytes = 64 << 20;

constexpr std::array<const char*, 2> kPolicyFiles = {"policy.pt", "manifest.json"};

// Differs whenever the file was replaced or written to, also within one tick of the clock's date
// and when that was set back: the kernel alone sets a file's change time.
std::string Signature(const fs::path& file) {
  struct stat about {};
  if (stat(file.c_str(), &about) != 0) return "none";
  return fmt::format("{}:{}:{}:{}.{}:{}.{}", about.st_dev, about.st_ino, about.st_size,
                     about.st_mtim.tv_sec, about.st_mtim.tv_nsec, about.st_ctim.tv_sec,
                     about.st_ctim.tv_nsec);
}

// Of the policy, wherever it lies.
std::string ContentOf(const std::string& wanted) {
  std::string hashes;
  for (const char* file : kPolicyFiles) {
    const Result<std::string> bytes = ReadBounded(fs::path(wanted) / file, kMaxPolicyBytes);
    hashes += bytes.ok() ? Sha256Hex(*bytes) : "none";
  }
  return fs::is_directory(wanted) ? hashes : wanted;
}

}  // namespace

PolicyFollower::PolicyFollower(fs::path folder, Load load, PolicySlot& slot, Metrics& metrics,
                               Logger& log)
    : folder_(std::move(folder)),
      load_(std::move(load)),
      slot_(slot),
      swapped_(metrics.AddCounter("berth_policy_loads_total",
                                  "Policies that were to be put in charge.",
                                  {{"outcome", "swapped"}})),
      refused_(metrics.AddCounter("berth_policy_loads_total",
                                  "Policies that were to be put in charge.",
                                  {{"outcome", "refused"}})),
      wanted_is_refused_(
          metrics.AddGauge("berth_policy_wanted_is_refused",
                           "1 while rollout.yaml asks for what cannot be put in charge.")),
      rollback_held_(
          metrics.AddGauge("berth_policy_rollback_held",
                           "1 while a policy is held back that rollout.yaml still asks for.")),
      log_(log) {}

void PolicyFollower::Look() {
  LetGo();
  const Result<Seen> seen = See();
  if (!seen.ok()) {
    last_.reset();
    taken_up_.reset();
    return Refuse(seen.status());
  }
  const bool settled = last_ == *seen;
  last_ = *seen;
  if (settled && taken_up_ != *seen) TakeUp(*seen);
}

std::optional<RolloutPlan> PolicyFollower::plan() const {
  if (!problem_.empty() || !last_ || taken_up_ != last_) return std::nullopt;
  return taken_up_->plan;
}

void PolicyFollower::Hold(RolloutPlan instead) {
  BERTH_CHECK(last_.has_value(), "what is held back was seen");
  held_ = Held{last_->plan_text, std::move(instead)};
  rollback_held_.Set(1);
}

// What the text says, or counts in its place.
Result<RolloutPlan> PolicyFollower::PlanOf(const std::string& text) {
  if (held_ && held_->text == text) return held_->plan;
  held_.reset();
  rollback_held_.Set(0);
  return ParseRolloutFile(folder_ / kRolloutFile, text);
}

Result<PolicyFollower::Seen> PolicyFollower::See() {
  const fs::path place = WhereFilesLie(folder_);
  Result<std::string> text = ReadBounded(place / kRolloutFile, kMaxPlanBytes);
  if (!text.ok()) return text.status();
  Result<RolloutPlan> plan = PlanOf(*text);
  if (!plan.ok()) return plan.status();
  const auto find = [&](const std::string& name) {
    Wanted wanted{.path = name, .files = {}};
    std::error_code error;
    if (name.empty() || !fs::is_directory(place / name, error)) return wanted;
    const fs::path directory = WhereFilesLie(place / name);
    wanted.path = directory.string();
    for (size_t i = 0; i < kPolicyFiles.size(); ++i) {
      wanted.files[i] = Signature(directory / kPolicyFiles[i]);
    }
    return wanted;
  };
  Seen seen{.plan_text = *std::move(text),
            .plan = *std::move(plan),
            .active = {},
            .shadow = {},
            .canary = {}};
  seen.active = find(seen.plan.active);
  seen.shadow = find(seen.plan.shadow);
  seen.canary = find(seen.plan.canary ? seen.plan.canary->policy : "");
  return seen;
}

void PolicyFollower::TakeUp(const Seen& seen) {
  taken_up_ = seen;
  Loaded loaded;
  Result<PolicyRoutes> routes = RoutesFor(seen, loaded);
  if (!routes.ok()) return Refuse(routes.status());
  serving_ = std::move(loaded);
  if (*routes != *slot_.Get()) PutInCharge(*std::move(routes));
  problem_.clear();
  wanted_is_refused_.Set(0);
}

Result<PolicyRoutes> PolicyFollower::RoutesFor(const Seen& seen, Loaded& loaded) const {
  PolicyRoutes routes;
  const auto obtain = [&](const Wanted& wanted, ServedPolicyPtr& policy) -> Status {
    if (wanted.path.empty()) return {};
    Result<ServedPolicyPtr> obtained = Obtain(wanted, loaded);
    if (!obtained.ok()) return obtained.status();
    policy = *std::move(obtained);
    return {};
  };
  ServedPolicyPtr canary;
  Status status = obtain(seen.active, routes.active);
  if (status.ok()) status = obtain(seen.canary, canary);
  if (status.ok()) status = obtain(seen.shadow, routes.shadow);
  if (!status.ok()) return status;
  if (canary != nullptr) routes.canary = {std::move(canary), seen.plan.canary->rule};
  return routes;
}

Result<ServedPolicyPtr> PolicyFollower::Obtain(const Wanted& wanted, Loaded& loaded) const {
  const std::string content = ContentOf(wanted.path);
  for (const Loaded* known : std::initializer_list<const Loaded*>{&loaded, &serving_}) {
    const auto found = known->find(content);
    if (found != known->end()) return loaded[content] = found->second;
  }
  Result<ServedPolicy> policy = load_(wanted.path);
  if (!policy.ok()) return policy.status();
  return loaded[content] = std::make_shared<const ServedPolicy>(*std::move(policy));
}

void PolicyFollower::PutInCharge(PolicyRoutes routes) {
  const auto told = [](const ServedPolicyPtr& policy) {
    return Quoted(policy == nullptr ? "none" : TextOf(*policy));
  };
  const ServedPolicyPtr canary = routes.canary ? routes.canary->policy : nullptr;
  log_.info("msg=\"policy swapped\" from={} to={} canary={} shadow={}", told(slot_.Get()->active),
            told(routes.active), told(canary), told(routes.shadow));
  retired_.push_back(slot_.Swap(std::move(routes)));
  swapped_.Increment();
}

void PolicyFollower::Refuse(const Status& why) {
  wanted_is_refused_.Set(1);
  if (problem_ == why.message()) return;
  problem_ = std::string(why.message());
  refused_.Increment();
  log_.warn(
      "msg=\"the policy that rollout.yaml asks for is refused; the one in charge stays\" "
      "policy={} error={}",
      Quoted(TextOf(*slot_.Get()->active)), Quoted(problem_));
}

// The slot's own reference is gone, so nobody can get hold of them any more.
void PolicyFollower::LetGo() {
  std::erase_if(retired_, [](const PolicyRoutesPtr& routes) { return routes.use_count() == 1; });
}

}  // namespace berth
