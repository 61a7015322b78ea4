#include "service/policies_service.h"

#include <absl/strings/str_cat.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "rollout/plan_changes.h"
#include "rpc/status.h"
#include "service/policy_folder.h"
#include "service/rollout_convert.h"

namespace berth {
namespace {

constexpr size_t kMaxWhyBytes = 500;
constexpr int kMaxWatchers = 16;  // each keeps a thread

Status CheckWhy(const std::string& why) {
  if (!why.empty() && why.size() <= kMaxWhyBytes) return {};
  return absl::InvalidArgumentError(
      absl::StrCat("why: is required, in at most ", kMaxWhyBytes,
                   " bytes: it is what others read about this change"));
}

std::set<std::string> Serving(const RolloutPlan& plan) {
  std::set<std::string> names{plan.active};
  if (!plan.shadow.empty()) names.insert(plan.shadow);
  if (plan.canary) names.insert(plan.canary->policy);
  return names;
}

void AddFound(const PolicyDirectory& found, const RolloutPlan& plan,
              v1::ListPoliciesResponse& listing) {
  v1::FoundPolicy& proto = *listing.add_found();
  proto.set_directory(found.directory);
  proto.set_name(found.name);
  proto.set_version(found.version);
  proto.set_sha256(found.sha256);
  proto.set_problem(found.problem);
  const auto wanted = [&](const std::string& name, v1::PolicyRole role) {
    if (name == found.directory) proto.add_wanted(role);
  };
  wanted(plan.active, v1::POLICY_ROLE_ACTIVE);
  wanted(plan.canary ? plan.canary->policy : "", v1::POLICY_ROLE_CANARY);
  wanted(plan.shadow, v1::POLICY_ROLE_SHADOW);
  wanted(plan.previous, v1::POLICY_ROLE_PREVIOUS);
}

void AddRole(PolicyRole role, const ServedPolicyPtr& policy,
             const std::vector<PolicyTally>& tallies, v1::ListPoliciesResponse& listing) {
  if (policy == nullptr) return;
  v1::PolicyInRole& proto = *listing.add_roles();
  proto.set_role(ToProto(role));
  proto.set_name(std::string(policy->name()));
  proto.set_version(policy->version);
  const auto tally = std::ranges::find_if(tallies, [&](const PolicyTally& tally) {
    return tally.role == role && tally.policy == TextOf(*policy);
  });
  if (tally != tallies.end()) *proto.mutable_record() = ToProto(*tally);
}

}  // namespace

PoliciesService::PoliciesService(const PolicySlot& policy, const PolicyAdmin* admin, AdminGate gate,
                                 const Clock& clock, Metrics& metrics, Logger& log)
    : policy_(policy),
      admin_(admin),
      gate_(std::move(gate)),
      log_(log),
      list_metrics_("ListPolicies", clock, metrics),
      load_metrics_("LoadPolicy", clock, metrics),
      promote_metrics_("Promote", clock, metrics),
      rollback_metrics_("Rollback", clock, metrics),
      shadow_metrics_("SetShadow", clock, metrics),
      canary_metrics_("SetCanary", clock, metrics) {}

grpc::Status PoliciesService::ListPolicies(grpc::ServerContext*, const v1::ListPoliciesRequest*,
                                           v1::ListPoliciesResponse* response) {
  return list_metrics_.Measure(0, [&] {
    const Status follows = CheckFollows();
    if (follows.ok()) *response = Listing();
    return ToGrpc(follows);
  });
}

grpc::Status PoliciesService::WatchPolicies(grpc::ServerContext* context,
                                            const v1::ListPoliciesRequest*,
                                            grpc::ServerWriter<v1::ListPoliciesResponse>* writer) {
  if (Status begun = BeginWatch(); !begun.ok()) return ToGrpc(begun);
  const Status end = DoWatch(*context, *writer);
  EndWatch();
  return ToGrpc(end);
}

grpc::Status PoliciesService::LoadPolicy(grpc::ServerContext* context,
                                         const v1::LoadPolicyRequest* request,
                                         v1::LoadPolicyResponse* response) {
  return load_metrics_.Measure(
      0, [&] { return ToGrpc(DoLoad(*context, request->policy(), *response)); });
}

grpc::Status PoliciesService::Promote(grpc::ServerContext* context,
                                      const v1::PromoteRequest* request,
                                      v1::ChangedRollout* response) {
  const auto step = [&](RolloutPlan plan) { return Promoted(std::move(plan), request->policy()); };
  return promote_metrics_.Measure(
      0, [&] { return ToGrpc(Change(*context, request->why(), step, *response)); });
}

grpc::Status PoliciesService::Rollback(grpc::ServerContext* context,
                                       const v1::RollbackRequest* request,
                                       v1::ChangedRollout* response) {
  return rollback_metrics_.Measure(
      0, [&] { return ToGrpc(Change(*context, request->why(), RolledBack, *response)); });
}

grpc::Status PoliciesService::SetShadow(grpc::ServerContext* context,
                                        const v1::SetShadowRequest* request,
                                        v1::ChangedRollout* response) {
  const auto step = [&](RolloutPlan plan) {
    return WithShadow(std::move(plan), request->policy());
  };
  return shadow_metrics_.Measure(
      0, [&] { return ToGrpc(Change(*context, request->why(), step, *response)); });
}

grpc::Status PoliciesService::SetCanary(grpc::ServerContext* context,
                                        const v1::SetCanaryRequest* request,
                                        v1::ChangedRollout* response) {
  const auto step = [&](RolloutPlan plan) {
    std::optional<PromotionPlan> promote;
    if (request->has_promote()) promote = FromProto(request->promote());
    return WithCanary(std::move(plan), FromProto(request->canary()), promote);
  };
  return canary_metrics_.Measure(
      0, [&] { return ToGrpc(Change(*context, request->why(), step, *response)); });
}

void PoliciesService::Drain() {
  const std::lock_guard lock(watch_mutex_);
  draining_ = true;
  drained_.notify_all();
}

Status PoliciesService::CheckFollows() const {
  if (admin_ != nullptr) return {};
  return absl::FailedPreconditionError(
      "berth serve follows no rollout.yaml: start it with --policies DIR");
}

v1::ListPoliciesResponse PoliciesService::Listing() const {
  v1::ListPoliciesResponse listing;
  const Result<RolloutPlan> plan = admin_->control.Plan();
  std::string refused = admin_->refused();
  if (plan.ok()) {
    listing.set_rollout_yaml(RolloutYaml(*plan));
    *listing.mutable_rollout() = ToProto(*plan);
  } else {
    refused = std::string(plan.status().message());
  }
  listing.set_refused(std::move(refused));
  for (const PolicyDirectory& found : PoliciesIn(admin_->folder)) {
    AddFound(found, plan.ok() ? *plan : RolloutPlan(), listing);
  }
  const std::vector<PolicyTally> tallies = admin_->tallies();
  const PolicyRoutesPtr routes = policy_.Get();
  AddRole(PolicyRole::kActive, routes->active, tallies, listing);
  if (routes->canary) AddRole(PolicyRole::kCanary, routes->canary->policy, tallies, listing);
  AddRole(PolicyRole::kShadow, routes->shadow, tallies, listing);
  return listing;
}

Status PoliciesService::BeginWatch() {
  if (Status follows = CheckFollows(); !follows.ok()) return follows;
  const std::lock_guard lock(watch_mutex_);
  if (watchers_ == kMaxWatchers) {
    return absl::ResourceExhaustedError(
        absl::StrCat(kMaxWatchers, " watch the policies already: try again when one has left"));
  }
  ++watchers_;
  return {};
}

void PoliciesService::EndWatch() {
  const std::lock_guard lock(watch_mutex_);
  --watchers_;
}

// False: there is no next look.
bool PoliciesService::AwaitNextLook() {
  std::unique_lock lock(watch_mutex_);
  return !drained_.wait_for(lock, admin_->look_every, [this] { return draining_; });
}

Status PoliciesService::DoWatch(grpc::ServerContext& context,
                                grpc::ServerWriter<v1::ListPoliciesResponse>& writer) {
  std::string told;
  do {
    const v1::ListPoliciesResponse listing = Listing();
    std::string bytes = listing.SerializeAsString();
    if (context.IsCancelled()) return absl::CancelledError("the caller has left");
    if (bytes == told) continue;
    if (!writer.Write(listing)) return absl::CancelledError("the caller has left");
    told = std::move(bytes);
  } while (AwaitNextLook());
  return absl::UnavailableError("the service is shutting down");
}

Status PoliciesService::DoLoad(const grpc::ServerContext& context, const std::string& policy,
                               v1::LoadPolicyResponse& response) {
  if (Status follows = CheckFollows(); !follows.ok()) return follows;
  const Result<std::string> who = gate_.Admit(context);
  if (!who.ok()) return who.status();
  const Result<CheckedPolicy> checked = CheckPolicy(policy);
  log_.info("msg=\"policy checked\" who={} peer={} policy={} verdict={}", Quoted(*who),
            Quoted(context.peer()), Quoted(policy),
            Quoted(checked.ok() ? "may serve" : std::string(checked.status().message())));
  if (!checked.ok()) return checked.status();
  response.set_name(checked->name);
  response.set_version(checked->version);
  response.set_sha256(checked->sha256);
  response.set_forward_us(checked->forward.count());
  return {};
}

// The policies are checked before RolloutControl is asked, which serves one after the other: what
// is urgent, such as a roll back, must not wait for a probe.
Status PoliciesService::Change(const grpc::ServerContext& context, const std::string& why,
                               const RolloutControl::Step& step, v1::ChangedRollout& response) {
  if (Status follows = CheckFollows(); !follows.ok()) return follows;
  Result<std::string> who = gate_.Admit(context);
  if (!who.ok()) return who.status();
  if (Status given = CheckWhy(why); !given.ok()) return given;
  const auto change = admin_->control.Propose(step);
  if (!change.ok()) return change.status();
  if (Status sound = CheckNewcomers(*change); !sound.ok()) return sound;
  const auto checked_step = [&](RolloutPlan plan) -> Result<RolloutPlan> {
    if (plan == change->before) return change->after;
    return absl::AbortedError("somebody else changed the rollout meanwhile: look, and ask again");
  };
  const auto plan =
      admin_->control.Change({*std::move(who), why, std::string(context.peer())}, checked_step);
  if (!plan.ok()) return plan.status();
  response.set_rollout_yaml(RolloutYaml(*plan));
  *response.mutable_rollout() = ToProto(*plan);
  return {};
}

// So that nobody writes a plan that is refused seconds later.
Status PoliciesService::CheckNewcomers(const RolloutControl::Proposal& change) {
  const std::set<std::string> before = Serving(change.before);
  for (const std::string& name : Serving(change.after)) {
    if (before.contains(name)) continue;
    if (const auto checked = CheckPolicy(name); !checked.ok()) return checked.status();
  }
  return {};
}

Result<CheckedPolicy> PoliciesService::CheckPolicy(const std::string& name) {
  if (!IsPlanName(name)) {
    return absl::InvalidArgumentError(
        "policy: must name a directory beside rollout.yaml or a built-in policy");
  }
  const std::lock_guard lock(check_mutex_);
  return admin_->check(name);
}

}  // namespace berth
