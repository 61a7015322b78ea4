#include "service/fact_limits.h"

#include <absl/strings/str_cat.h>

#include <algorithm>
#include <string_view>

namespace berth {
namespace {

constexpr size_t kMaxAnnotationBytes = 256 * 1024;

Status CheckQuantities(const ResourceFacts& quantities, std::string_view field) {
  const auto negative =
      std::ranges::find_if(quantities, [](const auto& q) { return q.second < 0; });
  if (negative == quantities.end()) return {};
  return absl::InvalidArgumentError(absl::StrCat(field, "[\"", negative->first, "\"]: is ",
                                                 negative->second, ", must not be negative"));
}

}  // namespace

Status CheckFacts(const NodeFacts& node) {
  if (node.name.empty()) return absl::InvalidArgumentError("node.name: is required");
  return CheckQuantities(node.allocatable, "node.allocatable");
}

Status CheckFacts(const PodFacts& pod) {
  if (pod.uid.empty()) return absl::InvalidArgumentError("pod.uid: is required");
  return CheckQuantities(pod.requests, "pod.requests");
}

Status CheckAnnotationSize(const PodFacts& pod) {
  size_t bytes = 0;
  for (const auto& [key, value] : pod.annotations) bytes += key.size() + value.size();
  if (bytes <= kMaxAnnotationBytes) return {};
  return absl::InvalidArgumentError(
      absl::StrCat("pod.annotations: have ", bytes, " bytes, may have ", kMaxAnnotationBytes));
}

}  // namespace berth
