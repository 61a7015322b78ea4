#include "cluster/gpu_load.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

// 16 GPUs: a bucket is one GPU wide and reaches half a GPU to both sides.
int Next(int bucket, int64_t allocated) {
  return NextGpuLoadBucket(bucket, MilliGpu(allocated), MilliGpu(16'000));
}

TEST(NextGpuLoadBucket, StaysWithinAQuarterOutsideItsBucket) {
  EXPECT_EQ(Next(4, 4'000), 4);
  EXPECT_EQ(Next(4, 4'500), 4);  // the edge
  EXPECT_EQ(Next(4, 4'750), 4);  // a quarter beyond it
  EXPECT_EQ(Next(4, 3'250), 4);
}

TEST(NextGpuLoadBucket, MovesToTheNearestBucketBeyondThat) {
  EXPECT_EQ(Next(4, 4'751), 5);
  EXPECT_EQ(Next(4, 3'249), 3);
  EXPECT_EQ(Next(0, 12'400), 12);
  EXPECT_EQ(Next(16, 0), 0);
}

TEST(NextGpuLoadBucket, DoesNotFlutterAroundAnEdge) {
  int bucket = 4;
  for (const int64_t allocated : {4'400, 4'600, 4'400, 4'600}) {
    bucket = Next(bucket, allocated);
    EXPECT_EQ(bucket, 4);
  }
}

TEST(NextGpuLoadBucket, ReachesBothEnds) {
  EXPECT_EQ(Next(15, 15'750), 15);
  EXPECT_EQ(Next(15, 16'000), 16);
  EXPECT_EQ(Next(1, 250), 1);
  EXPECT_EQ(Next(1, 0), 0);
}

TEST(NextGpuLoadBucket, IsZeroWithoutGpus) {
  EXPECT_EQ(NextGpuLoadBucket(7, MilliGpu(), MilliGpu()), 0);
}

TEST(NextGpuLoadBucket, LandsInABucketThatItThenKeeps) {
  for (int bucket = 0; bucket <= 16; ++bucket) {
    for (int64_t allocated = 0; allocated <= 16'000; allocated += 50) {
      const int next = Next(bucket, allocated);
      EXPECT_GE(next, 0);
      EXPECT_LE(next, 16);
      EXPECT_EQ(Next(next, allocated), next);
    }
  }
}

}  // namespace
}  // namespace berth
