#pragma once

namespace berth {

// The largest node of the openb trace, in milli-CPU and milli-GPU. Where the formulas of the FGD
// paper's baselines divide by these, they only set how much a core weighs against a GPU.
inline constexpr double kOpenbMostCpu = 128'000;
inline constexpr double kOpenbMostGpu = 8'000;

}  // namespace berth
