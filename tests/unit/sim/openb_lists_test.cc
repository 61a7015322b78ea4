#include "sim/openb_lists.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temp_directory.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;
using ::testing::SizeIs;
using ::testing::StartsWith;

constexpr char kNodeHeader[] = "sn,cpu_milli,memory_mib,gpu,model\n";
constexpr char kPodHeader[] = "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec\n";

NodeSpec GpuNode(std::string name, int gpus, std::string model) {
  return {.name = NodeName(std::move(name)),
          .cpu = MilliCpu(96'000),
          .memory = MiB(393'216),
          .gpus = gpus,
          .model = GpuModel(std::move(model)),
          .accounting = GpuAccounting::kManaged};
}

// What pods are read for: nodes with T4 and G2 GPUs.
std::vector<NodeSpec> TwoNodes() { return {GpuNode("t4", 2, "T4"), GpuNode("g2", 8, "G2")}; }

Result<std::vector<NodeSpec>> Nodes(const std::string& rows) {
  return ParseOpenbNodes(kNodeHeader + rows, "nodes.csv");
}

Result<std::vector<TracePod>> Pods(const std::string& rows) {
  const std::vector<NodeSpec> nodes = TwoNodes();
  return ParseOpenbPods(kPodHeader + rows, "pods.csv", nodes);
}

TEST(OpenbNodes, AreReadInTheirOrder) {
  const auto nodes = Nodes("b,96000,393216,8,G2\na,64000,262144,0,\n");
  ASSERT_TRUE(nodes.ok()) << nodes.status();
  const NodeSpec no_gpus{.name = NodeName("a"), .cpu = MilliCpu(64'000), .memory = MiB(262'144)};
  EXPECT_THAT(*nodes, ElementsAre(GpuNode("b", 8, "G2"), no_gpus));
}

TEST(OpenbNodes, ComeInAnyOrderOfColumnsAndWithOthers) {
  const auto nodes = ParseOpenbNodes(
      "rack,model,gpu,memory_mib,cpu_milli,sn\n7,G2,8,393216,96000,b\n", "nodes.csv");
  ASSERT_TRUE(nodes.ok()) << nodes.status();
  EXPECT_THAT(*nodes, ElementsAre(GpuNode("b", 8, "G2")));
}

TEST(OpenbNodes, NameWhatIsWrong) {
  const std::pair<const char*, const char*> table[] = {
      {"a,1,1,1", "nodes.csv:2:7: the line has 4 values, the header 5; is the file cut off?"},
      {",1,1,1,T4", "nodes.csv:2:1: sn is empty; it should be there"},
      {"a,1,1,1,T4\na,1,1,1,T4", "nodes.csv:3:1: sn is \"a\"; it should be unique, but line 2 has"},
      {"a,-1,1,1,T4", "nodes.csv:2:3: cpu_milli is \"-1\"; it should be a whole number from 0 to"},
      {"a,1.5,1,1,T4", "nodes.csv:2:3: cpu_milli is \"1.5\""},
      {"a,1,,1,T4", "nodes.csv:2:5: memory_mib is empty"},
      {"a,1,1,257,T4", "nodes.csv:2:7: gpu is \"257\"; it should be a whole number from 0 to 256"},
      {"a,1,1,1,", "nodes.csv:2:9: model is empty; it should be there"},
      {"a,1,1,0,T4", "nodes.csv:2:9: model is \"T4\"; it should be empty without GPUs"},
  };
  for (const auto& [rows, message] : table) {
    const Status status = Nodes(rows).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << rows;
    EXPECT_THAT(std::string(status.message()), StartsWith(message)) << rows;
  }
  EXPECT_THAT(std::string(ParseOpenbNodes("sn,gpu\n", "n.csv").status().message()),
              HasSubstr("n.csv:1:1: there is no column \"cpu_milli\"; there are \"sn\", \"gpu\""));
}

TEST(OpenbPods, AreReadAsManagedDemands) {
  const auto pods = Pods(
      "share,4000,8192,1,460,\n"
      "whole,8000,0,1,1000,T4\n"
      "several,96000,393216,8,1000,T4|G2|T4\n"
      "none,4000,4096,0,0,\n");
  ASSERT_TRUE(pods.ok()) << pods.status();
  const auto demand = [](int64_t cpu, int64_t memory, int gpus, int64_t share,
                         std::vector<std::string> models) {
    return Demand{.cpu = MilliCpu(cpu),
                  .memory = MiB(memory),
                  .gpus = gpus,
                  .per_gpu = MilliGpu(share),
                  .accounting = gpus > 0 ? GpuAccounting::kManaged : GpuAccounting::kNone,
                  .models = AllowedModels(std::move(models))};
  };
  EXPECT_THAT(
      *pods, ElementsAre(TracePod{"share", demand(4'000, 8'192, 1, 460, {})},
                         TracePod{"whole", demand(8'000, 0, 1, 1'000, {"T4"})},
                         TracePod{"several", demand(96'000, 393'216, 8, 1'000, {"T4", "G2", "T4"})},
                         TracePod{"none", demand(4'000, 4'096, 0, 0, {})}));
}

// gpu_spec and gpu_milli mean nothing there, and the trace has both at times.
TEST(OpenbPods, WithoutGpusAreHeldToNoModelAndNoShare) {
  const auto pods = Pods("a,1,1,0,1000,H100\n");
  ASSERT_TRUE(pods.ok()) << pods.status();
  EXPECT_EQ(pods->at(0).demand, (Demand{.cpu = MilliCpu(1), .memory = MiB(1)}));
}

TEST(OpenbPods, MayComeWithoutTheColumnOfModels) {
  const std::vector<NodeSpec> nodes = TwoNodes();
  const auto pods = ParseOpenbPods("name,cpu_milli,memory_mib,num_gpu,gpu_milli\na,1,1,1,1000\n",
                                   "pods.csv", nodes);
  ASSERT_TRUE(pods.ok()) << pods.status();
  EXPECT_TRUE(pods->at(0).demand.models.AllowsAny());
}

TEST(OpenbPods, MayAcceptModelsThatNoNodeHasBesideOneThatIsThere) {
  EXPECT_TRUE(Pods("a,1,1,1,1000,H100|T4\n").ok());
}

TEST(OpenbPods, NameWhatIsWrong) {
  const std::pair<const char*, const char*> table[] = {
      {"a,1,1,1,1000", "pods.csv:2:9: the line has 5 values, the header 6; is the file cut off?"},
      {",1,1,1,1000,", "pods.csv:2:1: name is empty; it should be there"},
      {"a,1,1,0,0,\nb,1,1,0,0,\na,1,1,0,0,",
       "pods.csv:4:1: name is \"a\"; it should be unique, but line 2 has it too"},
      {"a,x,1,1,1000,", "pods.csv:2:3: cpu_milli is \"x\"; it should be a whole number from 0 to"},
      {"a,1,-1,1,1000,", "pods.csv:2:5: memory_mib is \"-1\""},
      {"a,1,1,-1,1000,",
       "pods.csv:2:7: num_gpu is \"-1\"; it should be a whole number from 0 to 256"},
      {"a,1,1,1,0,",
       "pods.csv:2:9: gpu_milli is \"0\"; it should be a whole number from 1 to 1000"},
      {"a,1,1,1,1001,", "pods.csv:2:9: gpu_milli is \"1001\""},
      {"a,1,1,1,,", "pods.csv:2:9: gpu_milli is empty"},
      {"a,1,1,2,500,", "pods.csv:2:9: gpu_milli is \"500\"; it should be 1000"},
      {"a,1,1,1,500,T4||G2",
       "pods.csv:2:13: gpu_spec is \"T4||G2\"; it should be models such as \"T4|P100\", or empty"},
      {"a,1,1,1,500,T4|", "pods.csv:2:13: gpu_spec is \"T4|\"; it should be models such as"},
      {"a,1,1,1,500,H100|A100",
       "pods.csv:2:13: gpu_spec is \"H100|A100\"; it should be empty, or have one of the nodes' "
       "models: G2, T4"},
  };
  for (const auto& [rows, message] : table) {
    const Status status = Pods(rows).status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << rows;
    EXPECT_THAT(std::string(status.message()), StartsWith(message)) << rows;
  }
}

TEST(OpenbPods, LeaveOutBadRowsWhereThatIsAskedFor) {
  const std::vector<NodeSpec> nodes = TwoNodes();
  std::vector<Status> skipped;
  const auto pods = ParseOpenbPods(
      std::string(kPodHeader) + "a,1,1,0,0,\nb,x,1,0,0,\nc,1,1,0,0,\na,1,1,0,0,\nd,1,1", "pods.csv",
      nodes, &skipped);
  ASSERT_TRUE(pods.ok()) << pods.status();
  ASSERT_THAT(*pods, SizeIs(2));
  EXPECT_EQ(pods->at(1).name, "c");
  ASSERT_THAT(skipped, SizeIs(3));
  EXPECT_THAT(std::string(skipped[0].message()), StartsWith("pods.csv:3:3: cpu_milli is \"x\""));
  EXPECT_THAT(std::string(skipped[1].message()), StartsWith("pods.csv:5:1: name is \"a\""));
  EXPECT_THAT(std::string(skipped[2].message()), StartsWith("pods.csv:6:5: the line has 3"));
}

TEST(OpenbPods, DoNotLeaveOutWhatIsWrongWithTheWholeFile) {
  const std::vector<NodeSpec> nodes = TwoNodes();
  std::vector<Status> skipped;
  for (const char* text : {"", "name\na\n", "name,cpu_milli\n\"a"}) {
    EXPECT_FALSE(ParseOpenbPods(text, "pods.csv", nodes, &skipped).ok()) << text;
  }
  EXPECT_THAT(skipped, IsEmpty());
}

constexpr char kTimedHeader[] =
    "name,cpu_milli,memory_mib,num_gpu,gpu_milli,gpu_spec,qos,pod_phase,creation_time,"
    "deletion_time,scheduled_time\n";

// As in the trace: pods that stayed pending, that failed, that came and went in one second.
TEST(OpenbJobs, RunFromTheirCreationToTheirDeletion) {
  const std::vector<NodeSpec> nodes = TwoNodes();
  const auto jobs = ParseOpenbJobs(std::string(kTimedHeader) +
                                       "pend,8000,30517,1,230,,BE,Pending,50,50,\n"
                                       "fail,8000,0,1,590,,BE,Failed,10,40,11\n"
                                       "spec,4000,4096,1,1000,T4|G2|G2,LS,Running,20,90,20\n",
                                   "pods.csv", nodes);
  ASSERT_TRUE(jobs.ok()) << jobs.status();
  using std::chrono::seconds;
  ASSERT_THAT(*jobs, SizeIs(3));
  EXPECT_EQ(jobs->at(0).submitted, seconds(50));
  EXPECT_EQ(jobs->at(0).runs, seconds(0));
  EXPECT_EQ(jobs->at(1).submitted, seconds(10));
  EXPECT_EQ(jobs->at(1).runs, seconds(30));
  EXPECT_EQ(jobs->at(1).pod.demand.per_gpu, MilliGpu(590));
  EXPECT_EQ(jobs->at(2).pod.demand.models, AllowedModels({"T4", "G2", "G2"}));
}

TEST(OpenbJobs, NameWhatIsWrongWithTheirTimes) {
  const std::vector<NodeSpec> nodes = TwoNodes();
  const std::pair<const char*, const char*> table[] = {
      {",40,", "pods.csv:2:28: creation_time is empty; it should be a number from 0 to"},
      {"10,,", "pods.csv:2:31: deletion_time is empty"},
      {"10,9,", "pods.csv:2:31: deletion_time is \"9\"; it should be at creation_time or after it"},
  };
  for (const auto& [times, message] : table) {
    const std::string row = "a,8000,0,1,590,,BE,Running," + std::string(times) + "\n";
    const Status status = ParseOpenbJobs(kTimedHeader + row, "pods.csv", nodes).status();
    EXPECT_THAT(std::string(status.message()), StartsWith(message)) << times;
  }
  EXPECT_THAT(std::string(ParseOpenbJobs(kPodHeader, "pods.csv", nodes).status().message()),
              StartsWith("pods.csv:1:1: there is no column \"creation_time\""));
}

TEST(OpenbLists, AreReadFromFiles) {
  const TempDirectory directory;
  const auto nodes =
      ReadOpenbNodes(directory.Write("nodes.csv", std::string(kNodeHeader) + "a,1,1,1,T4\n"));
  ASSERT_TRUE(nodes.ok()) << nodes.status();
  const auto pods = ReadOpenbPods(
      directory.Write("pods.csv", std::string(kPodHeader) + "a,1,1,1,500,T4\n"), *nodes);
  ASSERT_TRUE(pods.ok()) << pods.status();
  EXPECT_THAT(*pods, SizeIs(1));
}

TEST(ProfileOf, CountsThePodsOfEachClass) {
  const auto pods = Pods("a,1,1,1,500,T4\nb,1,9,1,500,T4\nc,1,1,0,0,\n");
  ASSERT_TRUE(pods.ok()) << pods.status();
  const WorkloadProfilePtr profile = ProfileOf(*pods, "three");
  EXPECT_EQ(profile->version(), "three");
  ASSERT_THAT(profile->classes(), SizeIs(2));  // memory does not tell classes apart
  EXPECT_EQ(profile->classes()[0], (ClassCount{ClassOf(pods->at(0).demand), 2}));
}

}  // namespace
}  // namespace berth
