#pragma once

#include <condition_variable>
#include <mutex>
#include <string>

#include "base/log.h"
#include "base/metrics.h"
#include "berth/clock.h"
#include "berth/v1/policies.grpc.pb.h"
#include "policy/policy_slot.h"
#include "service/admin_gate.h"
#include "service/method_metrics.h"
#include "service/policy_admin.h"

namespace berth {

// Policies, as proto/berth/v1/policies.proto describes it. Thread-safe.
class PoliciesService final : public v1::Policies::Service {
 public:
  // All references and pointers outlive this. `admin` null: policies come from no folder, and every
  // call fails.
  PoliciesService(const PolicySlot& policy, const PolicyAdmin* admin, AdminGate gate,
                  const Clock& clock, Metrics& metrics, Logger& log);

  grpc::Status ListPolicies(grpc::ServerContext* context, const v1::ListPoliciesRequest* request,
                            v1::ListPoliciesResponse* response) override;
  grpc::Status WatchPolicies(grpc::ServerContext* context, const v1::ListPoliciesRequest* request,
                             grpc::ServerWriter<v1::ListPoliciesResponse>* writer) override;
  grpc::Status LoadPolicy(grpc::ServerContext* context, const v1::LoadPolicyRequest* request,
                          v1::LoadPolicyResponse* response) override;
  grpc::Status Promote(grpc::ServerContext* context, const v1::PromoteRequest* request,
                       v1::ChangedRollout* response) override;
  grpc::Status Rollback(grpc::ServerContext* context, const v1::RollbackRequest* request,
                        v1::ChangedRollout* response) override;
  grpc::Status SetShadow(grpc::ServerContext* context, const v1::SetShadowRequest* request,
                         v1::ChangedRollout* response) override;
  grpc::Status SetCanary(grpc::ServerContext* context, const v1::SetCanaryRequest* request,
                         v1::ChangedRollout* response) override;

  // Ends all watches, and lets no other begin. Does not wait for them.
  void Drain();

 private:
  Status CheckFollows() const;
  v1::ListPoliciesResponse Listing() const;
  Status BeginWatch();
  void EndWatch();
  bool AwaitNextLook();
  Status DoWatch(grpc::ServerContext& context,
                 grpc::ServerWriter<v1::ListPoliciesResponse>& writer);
  Status DoLoad(const grpc::ServerContext& context, const std::string& policy,
                v1::LoadPolicyResponse& response);
  Status Change(const grpc::ServerContext& context, const std::string& why,
                const RolloutControl::Step& step, v1::ChangedRollout& response);
  Status CheckNewcomers(const RolloutControl::Proposal& change);
  Result<CheckedPolicy> CheckPolicy(const std::string& name);

  const PolicySlot& policy_;
  const PolicyAdmin* const admin_;
  const AdminGate gate_;
  Logger& log_;
  MethodMetrics list_metrics_;
  MethodMetrics load_metrics_;
  MethodMetrics promote_metrics_;
  MethodMetrics rollback_metrics_;
  MethodMetrics shadow_metrics_;
  MethodMetrics canary_metrics_;

  std::mutex check_mutex_;  // a probe may take a gigabyte: one at a time
  std::mutex watch_mutex_;
  std::condition_variable drained_;
  bool draining_ = false;
  int watchers_ = 0;
};

}  // namespace berth
