#include "cluster/gone_pods.h"

#include <gtest/gtest.h>

#include <string>

namespace berth {
namespace {

TEST(GonePods, RemembersTheLastTenThousand) {
  GonePods gone;
  for (int i = 0; i < 10'000; ++i) gone.Add(PodUid(std::to_string(i)));
  gone.Add(PodUid("9999"));  // again: pushes nobody out
  EXPECT_TRUE(gone.Contains(PodUid("0")));
  gone.Add(PodUid("one more"));
  EXPECT_FALSE(gone.Contains(PodUid("0")));
  EXPECT_TRUE(gone.Contains(PodUid("1")));
  EXPECT_TRUE(gone.Contains(PodUid("one more")));
}

}  // namespace
}  // namespace berth
