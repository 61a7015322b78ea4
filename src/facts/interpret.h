#pragma once

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
inline constexpr std::string_view kGpuModelAnnotation = "berth.dev/gpu-model";
inline constexpr std::string_view kExpectedDurationAnnotation = "berth.dev/expected-duration";

// True for labels that InterpretNode reads and annotations under berth.dev/; a feeder may drop
// all others.
bool IsRelevantLabel(std::string_view key);
bool IsRelevantAnnotation(std::string_view key);

// A node that offers both nvidia.com/gpu and berth.dev/gpu-milli is taken as managed, so that each
// GPU counts once.
NodeSpec InterpretNode(const NodeFacts& facts);

// What cannot be met or understood ends up in Demand::invalid, in plain words that name the
// resource or annotation and what would be right; nothing is dropped.
Pod InterpretPod(const PodFacts& facts);

}  // namespace berth
