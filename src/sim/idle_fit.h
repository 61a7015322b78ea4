#pragma once

#include <cstdint>
#include <span>

#include "berth/node.h"
#include "berth/pod.h"

namespace berth {

// How many pods of the demand the nodes can take together when nothing else is on them; counted up
// to `enough`. Pods that are alike take nothing from each other but room, so it does not matter
// where each goes.
uint32_t FitWhenIdle(std::span<const Node> nodes, const Demand& demand, uint32_t enough);

}  // namespace berth
