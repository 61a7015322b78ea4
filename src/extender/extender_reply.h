#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace berth {

// Answer to /filter. Source: ExtenderFilterResult in kube-scheduler's extender/v1.
struct FilterReply {
  using Reasons = std::vector<std::pair<std::string, std::string>>;  // node, why; each node once

  std::vector<std::string> node_names;  // those that pass
  Reasons failed;                       // not now
  Reasons failed_and_unresolvable;      // never
  std::string error;                    // empty: the rest is the answer
};

// Answer to /prioritize is a list of these (HostPriorityList).
struct HostPriority {
  std::string host;
  int64_t score = 0;  // 0..10

  bool operator==(const HostPriority&) const = default;
};

// Wire format, with every field and capital first letters. Valid UTF-8 whatever the names hold.
std::string ToJson(const FilterReply& reply);
std::string ToJson(std::span<const HostPriority> priorities);

}  // namespace berth
