#include "cluster/mix_numbers.h"

#include <algorithm>

namespace berth {
namespace {

constexpr FeatureColumn kTable[] = {
    {"mix_constrained", "-1 to 1", "share of the GPU demand by pods that accept some models"},
    {"mix_shares", "-1 to 1", "share of the GPU demand by pods of less than one GPU"},
    {"mix_several_gpus", "-1 to 1", "share of the GPU demand by pods of more than one GPU"},
    {"mix_cpu_pressure", "-1 to 1", "CPU asked for per GPU asked for, over what the nodes have"},
};
static_assert(std::size(kTable) == kMixNumbers);

// As it is in openb's default mix, and how far the openb mixes move it.
struct Scale {
  double MixStatistics::*statistic;
  double usual;
  double range;
};
constexpr Scale kScales[] = {
    {&MixStatistics::constrained, 0, 0.35},
    {&MixStatistics::shares, 0.285, 0.715},
    {&MixStatistics::several_gpus, 0.073, 0.43},
    {&MixStatistics::cpu_pressure, 0.815, 0.2},
};
static_assert(std::size(kScales) == kMixNumbers);

}  // namespace

std::span<const FeatureColumn> MixNumberTable() { return kTable; }

MixNumbers NumbersOf(const WorkloadProfile& profile) {
  MixNumbers numbers{};
  if (profile.classes().empty()) return numbers;
  const MixStatistics statistics = profile.statistics();
  for (size_t i = 0; i < kMixNumbers; ++i) {
    const Scale& scale = kScales[i];
    const double number = (statistics.*scale.statistic - scale.usual) / scale.range;
    numbers[i] = static_cast<float>(std::clamp(number, -1.0, 1.0));
  }
  const bool known = profile.fleet().cpu > MilliCpu();
  if (!known) numbers[static_cast<size_t>(MixNumber::kCpuPressure)] = 0;
  return numbers;
}

}  // namespace berth
