#pragma once

#include <algorithm>
#include <span>
#include <string_view>
#include <vector>

namespace berth {

// Runs that follow one another and have the same key, in their order.
template <class Run, class Key>
std::vector<std::span<const Run>> GroupRuns(std::span<const Run> runs, Key key) {
  std::vector<std::span<const Run>> groups;
  while (!runs.empty()) {
    const auto end =
        std::ranges::find_if(runs, [&](const Run& run) { return key(run) != key(runs.front()); });
    groups.emplace_back(runs.begin(), end);
    runs = runs.subspan(groups.back().size());
  }
  return groups;
}

template <class Run>
std::vector<std::span<const Run>> GroupByPolicy(std::span<const Run> runs) {
  return GroupRuns(runs, [](const Run& run) { return run.policy.name; });
}

// Those of `groups` that are of one policy; none where it did not run.
template <class Run>
std::span<const Run> RunsOfPolicy(std::string_view policy,
                                  const std::vector<std::span<const Run>>& groups) {
  const auto found = std::ranges::find_if(
      groups, [&](std::span<const Run> runs) { return runs.front().policy.name == policy; });
  return found == groups.end() ? std::span<const Run>() : *found;
}

}  // namespace berth
