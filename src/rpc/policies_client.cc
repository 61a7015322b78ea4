#include "rpc/policies_client.h"

#include <absl/strings/str_cat.h>

#include <algorithm>
#include <utility>

#include "base/address.h"
#include "base/bounded_file.h"
#include "berth/v1/policies.grpc.pb.h"
#include "rpc/channel.h"
#include "rpc/status.h"

namespace berth {
namespace {

constexpr std::chrono::seconds kLookTimeout{10};
constexpr std::chrono::seconds kChangeTimeout{90};
constexpr size_t kMaxTokenFileBytes = 64 << 10;

std::string RoleText(v1::PolicyRole role) {
  switch (role) {
    case v1::POLICY_ROLE_ACTIVE:
      return "active";
    case v1::POLICY_ROLE_CANARY:
      return "canary";
    case v1::POLICY_ROLE_SHADOW:
      return "shadow";
    case v1::POLICY_ROLE_PREVIOUS:
      return "previous";
    default:
      return "unknown";
  }
}

PolicyListing::Record FromProto(const v1::PolicyRecord& proto) {
  return {.decisions = proto.decisions(),
          .differ = proto.differ(),
          .regret = proto.regret(),
          .p50 = std::chrono::nanoseconds(proto.p50_ns()),
          .p99 = std::chrono::nanoseconds(proto.p99_ns()),
          .guarded = proto.guarded(),
          .asked_again = proto.asked_again()};
}

PolicyListing::Directory FromProto(const v1::FoundPolicy& proto) {
  PolicyListing::Directory found{.directory = proto.directory(),
                                 .name = proto.name(),
                                 .version = proto.version(),
                                 .sha256 = proto.sha256(),
                                 .problem = proto.problem(),
                                 .wanted = {}};
  for (const int role : proto.wanted()) {
    found.wanted.push_back(RoleText(static_cast<v1::PolicyRole>(role)));
  }
  return found;
}

PolicyListing FromProto(const v1::ListPoliciesResponse& proto) {
  PolicyListing listing;
  for (const v1::PolicyInRole& role : proto.roles()) {
    auto& in_role = listing.roles.emplace_back();
    in_role.role = RoleText(role.role());
    in_role.name = role.name();
    in_role.version = role.version();
    if (role.has_record()) in_role.record = FromProto(role.record());
  }
  for (const v1::FoundPolicy& found : proto.found()) {
    listing.directories.push_back(FromProto(found));
  }
  listing.rollout_yaml = proto.rollout_yaml();
  listing.refused = proto.refused();
  return listing;
}

v1::SetCanaryRequest ToProto(const CanaryOrder& order) {
  v1::SetCanaryRequest request;
  v1::Canary& canary = *request.mutable_canary();
  canary.set_policy(order.policy);
  canary.set_percent(static_cast<uint32_t>(order.percent));
  canary.mutable_namespaces()->Add(order.namespaces.begin(), order.namespaces.end());
  canary.mutable_pools()->Add(order.pools.begin(), order.pools.end());
  if (order.decisions == 0) return request;
  v1::Promotion& promote = *request.mutable_promote();
  promote.set_decisions(order.decisions);
  if (order.max_regret) promote.set_max_regret(*order.max_regret);
  if (order.max_p99) promote.set_max_p99_us(order.max_p99->count());
  return request;
}

class GrpcPoliciesClient final : public PoliciesClient {
 public:
  GrpcPoliciesClient(std::string target, std::string token,
                     std::shared_ptr<grpc::ChannelCredentials> credentials)
      : target_(std::move(target)),
        token_(std::move(token)),
        stub_(v1::Policies::NewStub(MakeChannel(target_, std::move(credentials)))) {}

  Result<PolicyListing> List() override {
    v1::ListPoliciesResponse response;
    Status status =
        Call(&v1::Policies::Stub::ListPolicies, v1::ListPoliciesRequest(), response, kLookTimeout);
    if (!status.ok()) return status;
    return FromProto(response);
  }

  Status Watch(const std::function<bool(const PolicyListing&)>& told) override {
    grpc::ClientContext context;
    const auto stream = stub_->WatchPolicies(&context, v1::ListPoliciesRequest());
    v1::ListPoliciesResponse response;
    while (stream->Read(&response)) {
      if (told(FromProto(response))) continue;
      context.TryCancel();
      stream->Finish();
      return {};
    }
    return FromGrpc(stream->Finish(), target_);
  }

  Result<LoadedPolicy> Load(const std::string& policy) override {
    v1::LoadPolicyRequest request;
    request.set_policy(policy);
    v1::LoadPolicyResponse response;
    Status status = Call(&v1::Policies::Stub::LoadPolicy, request, response, kChangeTimeout);
    if (!status.ok()) return status;
    return LoadedPolicy{response.name(), response.version(), response.sha256(),
                        std::chrono::microseconds(response.forward_us())};
  }

  Result<std::string> Promote(const std::string& policy, const std::string& why) override {
    v1::PromoteRequest request;
    request.set_policy(policy);
    return Change(&v1::Policies::Stub::Promote, std::move(request), why);
  }

  Result<std::string> Rollback(const std::string& why) override {
    return Change(&v1::Policies::Stub::Rollback, v1::RollbackRequest(), why);
  }

  Result<std::string> SetShadow(const std::string& policy, const std::string& why) override {
    v1::SetShadowRequest request;
    request.set_policy(policy);
    return Change(&v1::Policies::Stub::SetShadow, std::move(request), why);
  }

  Result<std::string> SetCanary(const CanaryOrder& order, const std::string& why) override {
    return Change(&v1::Policies::Stub::SetCanary, ToProto(order), why);
  }

 private:
  template <class Request, class Response>
  using Method = grpc::Status (v1::Policies::Stub::*)(grpc::ClientContext*, const Request&,
                                                      Response*);

  template <class Request, class Response>
  Status Call(Method<Request, Response> method, const Request& request, Response& response,
              std::chrono::milliseconds timeout) {
    grpc::ClientContext context;
    SetTimeout(context, timeout);
    if (!token_.empty()) context.AddMetadata("authorization", "Bearer " + token_);
    const grpc::Status status = (stub_.get()->*method)(&context, request, &response);
    if (status.error_code() == grpc::StatusCode::PERMISSION_DENIED) {
      return absl::PermissionDeniedError(status.error_message());
    }
    return FromGrpc(status, target_);
  }

  template <class Request>
  Result<std::string> Change(Method<Request, v1::ChangedRollout> method, Request request,
                             const std::string& why) {
    request.set_why(why);
    v1::ChangedRollout response;
    Status status = Call(method, request, response, kChangeTimeout);
    if (!status.ok()) return status;
    return response.rollout_yaml();
  }

  const std::string target_;
  const std::string token_;
  const std::unique_ptr<v1::Policies::Stub> stub_;
};

Result<std::string> ReadToken(const std::string& file) {
  const Result<std::string> text = ReadBounded(file, kMaxTokenFileBytes);
  if (!text.ok()) {
    return Status(text.status().code(), absl::StrCat("--token-file: ", text.status().message()));
  }
  std::string token = text->substr(0, text->find_first_of("\r\n"));
  const auto printable = [](char c) { return c > ' ' && c < 0x7f; };  // as a header takes them
  if (!token.empty() && std::ranges::all_of(token, printable)) return token;
  return absl::InvalidArgumentError(
      absl::StrCat("--token-file ", file, ": the first line must be a token without spaces"));
}

// Whoever reads along could change policies from then on.
Status CheckKeepsToken(const PoliciesAccess& access) {
  if (!access.tls.ca.empty()) return {};
  const Result<Address> address = ParseAddress(access.target);
  if (!address.ok()) return address.status();
  if (address->IsLoopback()) return {};
  return absl::InvalidArgumentError(absl::StrCat(
      "--token-file: the token would go to ", access.target,
      " in plain text: give --tls-ca FILE, or reach the service through kubectl port-forward"));
}

}  // namespace

Result<std::unique_ptr<PoliciesClient>> MakePoliciesClient(const PoliciesAccess& access) {
  std::string token;
  if (!access.token_file.empty()) {
    if (Status kept = CheckKeepsToken(access); !kept.ok()) return kept;
    Result<std::string> read = ReadToken(access.token_file);
    if (!read.ok()) return read.status();
    token = *std::move(read);
  }
  auto credentials = MakeClientCredentials(access.tls);
  if (!credentials.ok()) return credentials.status();
  return std::make_unique<GrpcPoliciesClient>(access.target, std::move(token),
                                              *std::move(credentials));
}

}  // namespace berth
