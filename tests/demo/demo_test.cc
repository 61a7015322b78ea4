#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstdio>
#include <map>
#include <nlohmann/json.hpp>

#include "demo/objects.h"
#include "demo/progress.h"
#include "demo/report.h"
#include "demo/workload.h"
#include "facts/interpret.h"
#include "kube/object_facts.h"
#include "sim/openb_nodes.h"

namespace berth {
namespace {

using std::chrono::milliseconds;
using std::chrono::steady_clock;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

WorkloadProfile Mix() {
  const ClassCount classes[] = {
      {{.cpu = MilliCpu(4000), .per_gpu = MilliGpu(500), .gpus = 1, .models = {}}, 3},
      {{.cpu = MilliCpu(8000), .per_gpu = MilliGpu(1000), .gpus = 8, .models = {}}, 1},
      {{.cpu = MilliCpu(2000), .per_gpu = MilliGpu(0), .gpus = 0, .models = {}}, 1}};
  return WorkloadProfile("test", classes);
}

TEST(DemoWorkload, PodsAskForTheWholeCapacityAndFollowTheMix) {
  Rng rng(1);
  const MilliGpu capacity(10'000'000);
  const std::vector<Pod> pods = DrawPods(Mix(), capacity, 1'000'000, rng);
  MilliGpu asked;
  std::map<int, int> by_gpus;
  for (const Pod& pod : pods) {
    asked += pod.demand.TotalGpu();
    ++by_gpus[pod.demand.gpus];
  }
  EXPECT_GE(asked, capacity);
  EXPECT_LT(asked - pods.back().demand.TotalGpu(), capacity);
  EXPECT_NEAR(by_gpus[1] / double(pods.size()), 0.6, 0.05);
  EXPECT_NEAR(by_gpus[8] / double(pods.size()), 0.2, 0.05);
}

TEST(DemoWorkload, TwoNodesOfThreeAreTakenWhole) {
  const std::vector<NodeSpec> nodes = SomeOf(OpenbNodes(GpuAccounting::kManaged), 300);
  const std::vector<Pod> running = RunningPods(nodes);
  ASSERT_EQ(running.size(), 200u);
  EXPECT_EQ(running[0].node, nodes[1].name);
  EXPECT_EQ(running[0].demand.TotalGpu(), kWholeGpu * nodes[1].gpus);
  EXPECT_EQ(running[0].demand.cpu, nodes[1].cpu);
  EXPECT_NEAR(double(TotalGpu(running).value()) / double(TotalGpu(nodes).value()), 2.0 / 3, 0.02);
}

TEST(DemoWorkload, TheSameSeedDrawsTheSamePods) {
  Rng first(7), second(7), other(8);
  const auto pods = DrawPods(Mix(), MilliGpu(100'000), 1000, first);
  EXPECT_EQ(pods, DrawPods(Mix(), MilliGpu(100'000), 1000, second));
  EXPECT_NE(pods, DrawPods(Mix(), MilliGpu(100'000), 1000, other));
}

TEST(DemoWorkload, FewerNodesKeepTheMixOfShapes) {
  const std::vector<NodeSpec> all = OpenbNodes(GpuAccounting::kManaged);
  EXPECT_EQ(SomeOf(all, all.size()), all);
  const std::vector<NodeSpec> some = SomeOf(all, 100);
  EXPECT_EQ(some.size(), 100u);
  EXPECT_NEAR(double(TotalGpu(some).value()) / 100, double(TotalGpu(all).value()) / all.size(),
              500);
}

// What the demo shows at its API server must mean to Berth what the demo itself counts.
TEST(DemoObjects, BerthReadsThemAsTheyAreMeant) {
  for (const NodeSpec& node : SomeOf(OpenbNodes(GpuAccounting::kManaged), 20)) {
    EXPECT_EQ(InterpretNode(NodeFactsFrom(NodeObject(node)).value()), node);
  }
  Rng rng(1);
  for (const Pod& pod : DrawPods(Mix(), MilliGpu(50'000), 100, rng)) {
    EXPECT_EQ(InterpretPod(PodFactsFrom(PodObject(pod)).value()), pod);
  }
  for (const Pod& pod : RunningPods(OpenbNodes(GpuAccounting::kManaged))) {
    EXPECT_EQ(InterpretPod(PodFactsFrom(PodObject(pod)).value()), pod);
  }
}

TEST(DemoProgress, TextSaysHowFarHowFastAndHowLong) {
  EXPECT_EQ(
      ProgressText(4120, 8240, 0.501, 8),
      "[============            ]  50 %  4,120 of 8,240 pods  515 pods/s  GPU 50.1 %  8 s left");
  EXPECT_EQ(ProgressText(10, 10, 1, 2),
            "[========================] 100 %  10 of 10 pods  5 pods/s  GPU 100.0 %");
  EXPECT_EQ(WithCommas(999), "999");
  EXPECT_EQ(WithCommas(1234567), "1,234,567");
}

std::string Written(bool terminal, const std::function<void(Progress&)>& use) {
  char* text = nullptr;
  size_t size = 0;
  std::FILE* out = open_memstream(&text, &size);
  {
    Progress progress(out, terminal, "Berth", 100);
    use(progress);
  }
  std::fclose(out);
  const std::string written(text, size);
  free(text);
  return written;
}

TEST(DemoProgress, PlainLinesAtEveryTenth) {
  const std::string lines = Written(false, [](Progress& progress) {
    for (size_t done = 1; done <= 100; ++done) progress.Show(done, 0.5, steady_clock::time_point());
  });
  EXPECT_EQ(std::count(lines.begin(), lines.end(), '\n'), 10);
  EXPECT_THAT(lines, HasSubstr("] 100 %"));
  EXPECT_EQ(lines.find('\r'), std::string::npos);
}

TEST(DemoProgress, ATerminalIsRedrawnTenTimesPerSecond) {
  const std::string text = Written(true, [](Progress& progress) {
    for (size_t i = 1; i <= 90; ++i) {
      progress.Show(i, 0.5, steady_clock::time_point() + milliseconds(1000 + 10 * i));
    }
  });
  EXPECT_EQ(std::count(text.begin(), text.end(), '\r'), 9);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 1);
}

TEST(DemoReport, ShowsEachRun) {
  const std::vector<RunResult> results = {{.policy = "fgd-bestfit",
                                           .placed = 8012,
                                           .refused = 64,
                                           .unanswered = 0,
                                           .allocated = 0.969,
                                           .unusable = 0.021,
                                           .median = std::chrono::microseconds(1840),
                                           .p99 = std::chrono::microseconds(4210),
                                           .took = std::chrono::duration<double>(14.2)},
                                          {.policy = "spread", .unanswered = 3}};
  const std::string text = Report(results, 8076);
  EXPECT_THAT(text,
              HasSubstr("8,012 of 8,076     96.9 %        2.1 %       1.8 / 4.2 ms     14 s"));
  EXPECT_THAT(text, HasSubstr("3 of them decided without Berth"));
}

}  // namespace
}  // namespace berth
