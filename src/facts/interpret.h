#pragma once

#include <span>
#include <string>
#include <string_view>

#include "berth/node.h"
#include "berth/pod.h"
#include "facts/facts.h"

namespace berth {

// The names that have a meaning here and nowhere else in Berth.
inline constexpr std::string_view kGpuResource = "nvidia.com/gpu";
inline constexpr std::string_view kGpuMilliResource = "berth.dev/gpu-milli";
inline constexpr std::string_view kGpuProductLabel = "nvidia.com/gpu.product";
inline constexpr std::string_view kGpuMemoryLabel = "nvidia.com/gpu.memory";
inline constexpr std::string_view kZoneLabel = "topology.kubernetes.io/zone";
inline constexpr std::string_view kPoolLabel = "berth.dev/pool";
inline constexpr std::string_view kGpuModelAnnotation = "berth.dev/gpu-model";
inline constexpr std::string_view kExpectedDurationAnnotation = "berth.dev/expected-duration";

// The labels that InterpretNode reads; relevant annotations are those under berth.dev/. A feeder
// may drop all others.
std::span<const std::string_view> RelevantLabels();
bool IsRelevantLabel(std::string_view key);
bool IsRelevantAnnotation(std::string_view key);

// A node that offers both nvidia.com/gpu and berth.dev/gpu-milli is taken as managed, so that each
// GPU counts once. What is odd on a node makes it smaller, never larger: a negative or unreadable
// number counts as nothing. Cordoned: unschedulable, or not ready.
NodeSpec InterpretNode(const NodeFacts& facts);

// A request or a demand that cannot be met or understood ends up in Demand::invalid, in plain words
// that name the resource or annotation and what would be right. A wish that cannot be understood
// does not keep the pod from running: see IgnoredWish.
Pod InterpretPod(const PodFacts& facts);

// What InterpretPod passed over, in plain words for a warning; empty: nothing. It is the expected
// duration: it only helps to rank nodes, and a pod refused for a typing error in a hint would be
// worse than one placed without it.
std::string IgnoredWish(const PodFacts& facts);

}  // namespace berth
