#pragma once

#include <cstdint>
#include <string>

#include "berth/node.h"
#include "berth/pod.h"

namespace berth {

// Resources in plain words, for what commands print.

// Thousandths as a plain number: 1500 -> "1.5".
std::string Thousandths(int64_t milli);

// "0.5 of one GPU that Berth hands out, 2 CPU, 1024 MiB"
std::string DemandText(const Demand& demand);

// "2.5 of 4 GPUs (A100), 61.5 CPU, 4096 MiB free"
std::string FreeText(const FreeState& free, const GpuModel& model);

}  // namespace berth
