#pragma once

#include <string>
#include <utility>

#include "facts/facts.h"
#include "policy/decided_pod.h"
#include "policy/ranking.h"
#include "policy/served_policy.h"

namespace berth {

inline DecidedPod DecidedPodOf(PodFacts pod) {
  return {.namespace_name = std::move(pod.namespace_name),
          .name = std::move(pod.name),
          .uid = std::move(pod.uid),
          .owner = std::move(pod.owner)};
}

// Of the policy that answered; empty when that is built in, or none was needed.
inline std::string AnsweredVersion(const ServedPolicy& asked, const Ranking& ranking) {
  return ranking.policy.empty() || ranking.guard != Guard::kNone ? "" : asked.version;
}

}  // namespace berth
