#include "sim/event_order.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/temp_directory.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::vector<NodeSpec> Nodes(size_t count, int gpus) {
  std::vector<NodeSpec> nodes(count);
  for (size_t i = 0; i < count; ++i) {
    nodes[i].name = NodeName("node-" + std::to_string(i));
    nodes[i].gpus = gpus;
  }
  return nodes;
}

std::vector<TracePod> Pods(size_t count, int gpus, MilliGpu per_gpu) {
  std::vector<TracePod> pods(count);
  for (size_t i = 0; i < count; ++i) {
    pods[i].name = "pod-" + std::to_string(i);
    pods[i].demand.gpus = gpus;
    pods[i].demand.per_gpu = per_gpu;
  }
  return pods;
}

std::vector<uint32_t> UpTo(size_t count) {
  std::vector<uint32_t> numbers(count);
  std::iota(numbers.begin(), numbers.end(), 0);
  return numbers;
}

template <class T>
std::vector<T> Sorted(std::vector<T> numbers) {
  std::ranges::sort(numbers);
  return numbers;
}

TEST(DrawEventOrder, ShufflesThePodsAndDrawsMoreUpTo130Percent) {
  const auto pods = Pods(20, 1, MilliGpu(500));
  Rng rng(1);
  const EventOrder order = DrawEventOrder(Nodes(5, 4), pods, rng);
  ASSERT_EQ(order.arrivals.size(), 52);  // of 0.5 GPUs each: 1.3 times 20 GPUs
  const std::vector<uint32_t> first(order.arrivals.begin(), order.arrivals.begin() + 20);
  EXPECT_NE(first, UpTo(20));
  EXPECT_EQ(Sorted(first), UpTo(20));
  EXPECT_EQ(Sorted(order.node_rank), UpTo(5));
}

TEST(DrawEventOrder, RemovesPodsDownTo130Percent) {
  Rng rng(1);
  const EventOrder order = DrawEventOrder(Nodes(1, 8), Pods(20, 1, kWholeGpu), rng);
  EXPECT_EQ(order.arrivals.size(), 10);  // 10.4 GPUs
  const std::vector<uint32_t> sorted = Sorted(order.arrivals);
  EXPECT_EQ(std::ranges::adjacent_find(sorted), sorted.end());
}

// As in the paper's simulator, what is drawn late counts with its share of one GPU.
TEST(DrawEventOrder, MayGoBeyondWithAPodOfSeveralGpus) {
  Rng rng(1);
  const EventOrder order = DrawEventOrder(Nodes(1, 8), Pods(1, 8, kWholeGpu), rng);
  EXPECT_THAT(order.arrivals, ElementsAre(0, 0));  // 8 + 1 is within 10.4
}

TEST(DrawEventOrder, HasNothingToAddWithoutGpus) {
  Rng rng(1);
  EXPECT_EQ(DrawEventOrder(Nodes(1, 8), Pods(3, 0, MilliGpu()), rng).arrivals.size(), 3);
}

TEST(DrawEventOrder, IsDecidedByTheSeedAndTheNames) {
  const auto nodes = Nodes(5, 4);
  auto pods = Pods(20, 1, MilliGpu(500));
  const auto names = [&](uint64_t seed) {
    Rng rng(seed);
    std::vector<std::string> arrived;
    for (const uint32_t pod : DrawEventOrder(nodes, pods, rng).arrivals) {
      arrived.push_back(pods[pod].name);
    }
    return arrived;
  };
  const auto before = names(7);
  EXPECT_EQ(names(7), before);
  EXPECT_NE(names(8), before);
  std::ranges::reverse(pods);  // the lists are sorted by name first
  EXPECT_EQ(names(7), before);
}

class ReadEventOrderTest : public ::testing::Test {
 protected:
  // With 4 pods and 3 nodes.
  Result<EventOrder> Read(std::string_view arrivals, std::string_view ranks) const {
    directory_.Write("mix_seed7.txt", arrivals);
    directory_.Write("mix_seed7_noderank.txt", ranks);
    return ReadEventOrder(directory_.path(), "mix", 7, 4, 3);
  }

  const TempDirectory directory_;
};

TEST_F(ReadEventOrderTest, ReadsNumbersLineByLine) {
  const auto order = Read("# a comment\n3\n0\n\n3\r\n1", "2\n0\n1\n");
  ASSERT_TRUE(order.ok()) << order.status();
  EXPECT_THAT(order->arrivals, ElementsAre(3, 0, 3, 1));
  EXPECT_THAT(order->node_rank, ElementsAre(2, 0, 1));
}

TEST_F(ReadEventOrderTest, SaysWhatIsWrong) {
  struct Case {
    std::string_view arrivals, ranks, message;
  };
  const Case table[] = {
      {"0\n4\n", "0\n1\n2\n", "mix_seed7.txt:2: \"4\" should be a whole number below 4"},
      {"0\n-1\n", "0\n1\n2\n", "mix_seed7.txt:2: \"-1\" should be a whole number below 4"},
      {"0 1\n", "0\n1\n2\n", "mix_seed7.txt:1: \"0 1\" should be"},
      {"x\n", "0\n1\n2\n", "mix_seed7.txt:1: \"x\" should be"},
      {"0\n", "0\n1\n", "mix_seed7_noderank.txt: there should be 3 ranks, one for each node"},
      {"0\n", "0\n1\n1\n", "mix_seed7_noderank.txt: there should be 3 ranks"},
      {"0\n", "0\n1\n3\n", "mix_seed7_noderank.txt:3: \"3\" should be a whole number below 3"},
  };
  for (const Case& c : table) {
    const Status status = Read(c.arrivals, c.ranks).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.message;
    EXPECT_THAT(std::string(status.message()), HasSubstr(std::string(c.message)));
  }
}

TEST_F(ReadEventOrderTest, NamesAFileThatIsNotThere) {
  const Status status = ReadEventOrder(directory_.path(), "none", 7, 4, 3).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("none_seed7.txt"));
}

}  // namespace
}  // namespace berth
