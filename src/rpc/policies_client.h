#pragma once

#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "berth/result.h"
#include "rpc/client_tls.h"
#include "rpc/policy_listing.h"

namespace berth {

// Where a service is whose rollout is looked at or changed, and what it is shown.
struct PoliciesAccess {
  std::string target;      // HOST:PORT
  std::string token_file;  // empty: no token; its first line is the token
  ClientTlsFiles tls;
};

// What a service found when it checked a policy.
struct LoadedPolicy {
  std::string name;
  std::string version, sha256;           // empty: built in
  std::chrono::microseconds forward{0};  // for scoring 5,000 nodes
};

// A canary, for whom it answers, and when it becomes active by itself.
struct CanaryOrder {
  std::string policy;
  int percent = 0;  // 0: this rule takes nobody
  std::vector<std::string> namespaces, pools;
  int64_t decisions = 0;  // 0: it is promoted by hand, and there are no conditions
  std::optional<double> max_regret;
  std::optional<std::chrono::microseconds> max_p99;
};

// Asks a service about its policies, and changes its rollout. Each call blocks until the answer,
// looks for up to ten seconds and changes for up to ninety, since a policy may have to be probed
// first.
// Errors: those of the Policies service, with the target in front but for PERMISSION_DENIED: its
// message has the rollout.yaml to commit from the second line on.
class PoliciesClient {
 public:
  virtual ~PoliciesClient() = default;

  virtual Result<PolicyListing> List() = 0;
  // Calls `told` with the listing at once and whenever it has changed; ends when that gives false,
  // or with an error.
  virtual Status Watch(const std::function<bool(const PolicyListing&)>& told) = 0;
  virtual Result<LoadedPolicy> Load(const std::string& policy) = 0;

  // These return what rollout.yaml says now.
  virtual Result<std::string> Promote(const std::string& policy, const std::string& why) = 0;
  virtual Result<std::string> Rollback(const std::string& why) = 0;
  virtual Result<std::string> SetShadow(const std::string& policy, const std::string& why) = 0;
  virtual Result<std::string> SetCanary(const CanaryOrder& order, const std::string& why) = 0;
};

// Reads the files. Errors: INVALID_ARGUMENT or NOT_FOUND that name the option of `berth policy` and
// the file; INVALID_ARGUMENT when a token would go to another machine in plain text.
Result<std::unique_ptr<PoliciesClient>> MakePoliciesClient(const PoliciesAccess& access);

}  // namespace berth
