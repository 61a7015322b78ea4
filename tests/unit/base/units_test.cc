#include "berth/units.h"

#include <gtest/gtest.h>

#include <type_traits>

namespace berth {
namespace {

TEST(Units, ArithmeticStaysWithinTheUnit) {
  MilliGpu free = kWholeGpu;
  free -= MilliGpu(400);
  EXPECT_EQ(free, MilliGpu(600));
  EXPECT_EQ(free + MilliGpu(400), kWholeGpu);
  EXPECT_EQ(MilliGpu(250) * 4, kWholeGpu);
  EXPECT_LT(free, kWholeGpu);
}

TEST(Units, DifferentUnitsDoNotMix) {
  static_assert(!std::is_convertible_v<MilliGpu, MilliCpu>);
  static_assert(!std::is_constructible_v<MilliGpu, MilliCpu>);
  static_assert(!std::is_convertible_v<int, MilliGpu>);
  static_assert(!std::is_convertible_v<MilliGpu, int64_t>);
  static_assert(!std::is_convertible_v<NodeName, PodUid>);
  SUCCEED() << "checked by the compiler";
}

}  // namespace
}  // namespace berth
