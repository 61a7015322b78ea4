#include "rollout/policy_follower.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <utility>

#include "base/bounded_file.h"
#include "policy/sha256.h"
#include "rollout/mounted.h"
#include "rollout/rollout_plan.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxPlanBytes = 64 << 10;
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

Result<PolicyFollower::Seen> PolicyFollower::See() const {
  const fs::path place = WhereFilesLie(folder_), file = place / kRolloutFile;
  Result<std::string> text = ReadBounded(file, kMaxPlanBytes);
  if (!text.ok()) return text.status();
  const Result<RolloutPlan> plan = ParseRolloutPlan(*text);
  if (!plan.ok()) {
    return Status(plan.status().code(), fmt::format("{}: {}", (folder_ / kRolloutFile).string(),
                                                    std::string(plan.status().message())));
  }
  Seen seen{.plan_text = *std::move(text), .wanted = plan->active, .files = {}};
  std::error_code error;
  if (!fs::is_directory(place / plan->active, error)) return seen;
  const fs::path directory = WhereFilesLie(place / plan->active);
  seen.wanted = directory.string();
  for (size_t i = 0; i < kPolicyFiles.size(); ++i) {
    seen.files[i] = Signature(directory / kPolicyFiles[i]);
  }
  return seen;
}

void PolicyFollower::TakeUp(const Seen& seen) {
  taken_up_ = seen;
  std::string content = ContentOf(seen.wanted);
  if (content != serving_) {
    Result<ScorerPtr> policy = load_(seen.wanted);
    if (!policy.ok()) return Refuse(policy.status());
    const std::string before(slot_.Get()->name());
    log_.info("msg=\"policy swapped\" from={} to={} path={}", Quoted(before),
              Quoted((*policy)->name()), Quoted(seen.wanted));
    retired_.push_back(slot_.Swap(*std::move(policy)));
    serving_ = std::move(content);
    swapped_.Increment();
  }
  problem_.clear();
  wanted_is_refused_.Set(0);
}

void PolicyFollower::Refuse(const Status& why) {
  wanted_is_refused_.Set(1);
  if (problem_ == why.message()) return;
  problem_ = std::string(why.message());
  refused_.Increment();
  log_.warn(
      "msg=\"the policy that rollout.yaml asks for is refused; the one in charge stays\" "
      "policy={} error={}",
      Quoted(slot_.Get()->name()), Quoted(problem_));
}

// The slot's own reference is gone, so nobody can get hold of it any more.
void PolicyFollower::LetGo() {
  std::erase_if(retired_, [](const ScorerPtr& policy) { return policy.use_count() == 1; });
}

}  // namespace berth
