#pragma once

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace berth {

// What a service answers about its policies, as proto/berth/v1/policies.proto describes it. Roles
// are "active", "canary", "shadow" and "previous".
struct PolicyListing {
  // A directory that may hold a policy.
  struct Directory {
    std::string directory;
    std::string name, version, sha256;  // as its manifest says
    std::string problem;                // why the manifest cannot be read; empty: it can
    std::vector<std::string> wanted;    // the roles that rollout.yaml gives it
  };

  // What a policy has done since it has its role.
  struct Record {
    int64_t decisions = 0;
    int64_t differ = 0;
    double regret = 0;
    std::chrono::nanoseconds p50{0}, p99{0};
    int64_t guarded = 0;
    int64_t asked_again = 0;
  };

  // A policy that has a role at this moment.
  struct InRole {
    std::string role, name;
    std::string version;           // empty: built in
    std::optional<Record> record;  // nullopt: nothing is counted
  };

  std::vector<InRole> roles;
  std::vector<Directory> directories;
  std::string rollout_yaml;  // empty when it cannot be read
  std::string refused;       // why what it asks for is not in charge; empty: it is
};

}  // namespace berth
