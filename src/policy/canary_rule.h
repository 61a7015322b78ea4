#pragma once

#include <span>
#include <string>
#include <vector>

#include "berth/node.h"
#include "policy/decided_pod.h"

namespace berth {

// For whom a canary answers: for all whom any of these names.
struct CanaryRule {
  int percent = 0;                      // of the owners of pods, 0 to 100
  std::vector<std::string> namespaces;  // all pods of these
  std::vector<std::string> pools;       // pods whose candidates are all in these (NodeSpec::pool)

  // Pods of one owner are answered for by one policy, in every replica of the service and for as
  // long as the rule lasts; a larger percentage takes in more owners and leaves none out. A pod
  // without owner counts as its own. Null candidates are passed over.
  bool Takes(const DecidedPod& pod, std::span<const Node* const> candidates) const;

  bool operator==(const CanaryRule&) const = default;
};

}  // namespace berth
