#include "cluster/cluster_state.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <spdlog/sinks/null_sink.h>

#include "cluster/gpu_choice.h"

namespace berth {
namespace {

using ::testing::ElementsAre;

GpuSet BestFit(const Node& node, const Demand& demand, const WorkloadProfile&) {
  return ChooseGpusBestFit(node.free, demand);
}

class ClusterStateTest : public ::testing::Test {
 protected:
  static NodeSpec FourGpus(const std::string& name) {
    return {.name = NodeName(name),
            .cpu = MilliCpu(64'000),
            .memory = MiB(262'144),
            .gpus = 4,
            .accounting = GpuAccounting::kManaged};
  }

  static Pod BoundShare(const std::string& uid, int64_t milli, const std::string& node) {
    return {.uid = PodUid(uid),
            .demand = {.cpu = MilliCpu(1'000),
                       .memory = MiB(1'024),
                       .gpus = 1,
                       .per_gpu = MilliGpu(milli),
                       .accounting = GpuAccounting::kManaged},
            .node = NodeName(node)};
  }

  Metrics metrics_;
  Logger log_{"test", std::make_shared<spdlog::sinks::null_sink_mt>()};
  ClusterState state_{BestFit,
                      std::make_shared<const WorkloadProfile>("empty", std::vector<ClassCount>()),
                      metrics_, log_};
};

TEST_F(ClusterStateTest, IsReadyOnceAnEpochIsComplete) {
  EXPECT_FALSE(state_.Ready());
  state_.BeginEpoch();
  state_.UpsertNode(FourGpus("a"));
  EXPECT_FALSE(state_.Ready());
  EXPECT_TRUE(state_.View()->nodes().empty());
  state_.CompleteEpoch();
  EXPECT_TRUE(state_.Ready());
  EXPECT_EQ(state_.View()->nodes().size(), 1u);
}

TEST_F(ClusterStateTest, BoundPodsHoldGpus) {
  state_.UpsertNode(FourGpus("a"));
  state_.UpsertPod(BoundShare("p", 300, "a"));
  state_.UpsertPod(BoundShare("q", 600, "a"));
  const ClusterViewPtr view = state_.View();
  EXPECT_THAT(view->Find("a")->free.gpus,
              ElementsAre(MilliGpu(100), kWholeGpu, kWholeGpu, kWholeGpu));
  EXPECT_EQ(view->totals().bound_pods, 2);
  state_.RemovePod(PodUid("p"));
  EXPECT_EQ(state_.View()->Find("a")->free.gpus[0], MilliGpu(400));
  EXPECT_EQ(view->Find("a")->free.gpus[0], MilliGpu(100)) << "views are immutable";
}

}  // namespace
}  // namespace berth
