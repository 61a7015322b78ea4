#include "policy/canary_rule.h"

#include <absl/strings/str_cat.h>

#include <algorithm>
#include <cstdint>

namespace berth {
namespace {

// FNV-1a, 64 bits (Fowler, Noll, Vo): the same on every machine and in every version. Its low bits
// differ well, its high bits do not for short texts, so they are folded.
uint64_t StableHash(std::string_view text) {
  uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash ^ (hash >> 32);
}

int PercentileOf(const DecidedPod& pod) {
  const std::string& owner = pod.owner.empty() ? pod.name : pod.owner;
  return static_cast<int>(StableHash(absl::StrCat(pod.namespace_name, "/", owner)) % 100);
}

bool IsOneOf(const std::vector<std::string>& names, std::string_view name) {
  return std::ranges::find(names, name) != names.end();
}

bool AreAllIn(const std::vector<std::string>& pools, std::span<const Node* const> candidates) {
  bool any = false;
  for (const Node* node : candidates) {
    if (node == nullptr) continue;
    if (!IsOneOf(pools, node->spec->pool)) return false;
    any = true;
  }
  return any;
}

}  // namespace

bool CanaryRule::Takes(const DecidedPod& pod, std::span<const Node* const> candidates) const {
  return PercentileOf(pod) < percent || IsOneOf(namespaces, pod.namespace_name) ||
         (!pools.empty() && AreAllIn(pools, candidates));
}

}  // namespace berth
