#include "demo/kube_scheduler.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <httplib.h>

#include <thread>

#include "base/http_server.h"
#include "demo/objects.h"

namespace berth {
namespace {

using nlohmann::json;
using ::testing::ElementsAre;
using ::testing::Optional;

NodeSpec Node(const std::string& name, int cores, int gpus) {
  return {.name = NodeName(name),
          .cpu = MilliCpu(1000 * cores),
          .memory = MiB(100'000),
          .gpus = gpus,
          .model = GpuModel("T4"),
          .accounting = GpuAccounting::kManaged};
}

Pod OneGpuPod(int milli) {
  return {.uid = PodUid("u"),
          .name = "demo/p",
          .demand = {.cpu = MilliCpu(4000),
                     .memory = MiB(1000),
                     .gpus = 1,
                     .per_gpu = MilliGpu(milli),
                     .accounting = GpuAccounting::kManaged}};
}

// A kube-scheduler on three nodes, before an extender that answers as the test says.
class KubeSchedulerTest : public ::testing::Test {
 protected:
  KubeSchedulerTest() {
    extender_.routes().Post("/filter", [this](const httplib::Request& request, auto& response) {
      asked_ = json::parse(request.body);
      response.set_content(
          filter_.value_or(json{{"NodeNames", asked_["NodeNames"]}, {"Error", ""}}).dump(),
          "application/json");
    });
    extender_.routes().Post("/prioritize", [this](const httplib::Request&, auto& response) {
      ++prioritized_;
      response.status = prioritize_.is_null() ? 503 : 200;
      response.set_content(prioritize_.dump(), "application/json");
    });
    const int port = extender_.Bind("127.0.0.1", 0).value();
    thread_ = std::jthread([this] { extender_.Serve(); });
    scheduler_ = std::make_unique<KubeScheduler>(nodes_, port);
  }
  ~KubeSchedulerTest() override {
    scheduler_.reset();
    extender_.Stop();
  }

  KubeScheduler::Decision Decide(int milli = 1000) {
    return scheduler_->Decide(OneGpuPod(milli), PodObject(OneGpuPod(milli)));
  }

  const std::vector<NodeSpec> nodes_ = {Node("a", 8, 1), Node("b", 8, 2), Node("c", 2, 8)};
  std::optional<json> filter_;
  json prioritize_ = {{{"Host", "a"}, {"Score", 5}}, {{"Host", "b"}, {"Score", 10}}};
  json asked_;
  int prioritized_ = 0;
  HttpServer extender_;
  std::jthread thread_;
  std::unique_ptr<KubeScheduler> scheduler_;
};

TEST_F(KubeSchedulerTest, OffersWhatFitsAndTakesTheBest) {
  EXPECT_THAT(Decide().node, Optional(1));
  EXPECT_EQ(asked_["NodeNames"], json({"a", "b"}));  // c has too few cores
  EXPECT_EQ(asked_["Nodes"], nullptr);
  EXPECT_EQ(asked_["Pod"]["metadata"]["uid"], "u");
}

TEST_F(KubeSchedulerTest, CountsWhatItPlaced) {
  scheduler_->Assume(OneGpuPod(1000), 0);
  scheduler_->Assume(OneGpuPod(500), 1);
  Decide(1000);
  EXPECT_EQ(asked_["NodeNames"], json({"b"}));
  scheduler_->Assume(OneGpuPod(600), 1);  // 900 milli-GPU and no core left
  asked_ = nullptr;
  EXPECT_EQ(Decide(100).node, std::nullopt);
  EXPECT_EQ(asked_, nullptr);  // an extender is not asked about nothing
}

TEST_F(KubeSchedulerTest, ALoneSurvivorIsNotPrioritized) {
  filter_ = json{{"NodeNames", {"a"}}, {"Error", ""}};
  EXPECT_THAT(Decide().node, Optional(0));
  EXPECT_EQ(prioritized_, 0);
}

TEST_F(KubeSchedulerTest, NoSurvivorNoNode) {
  filter_ = json{{"NodeNames", json::array()}, {"Error", ""}};
  const auto decision = Decide();
  EXPECT_EQ(decision.node, std::nullopt);
  EXPECT_EQ(decision.error, "");
}

TEST_F(KubeSchedulerTest, AnExtenderWithoutAnAnswerIsIgnored) {
  filter_ = json{{"NodeNames", json::array()}, {"Error", "not synced"}};
  prioritize_ = nullptr;
  const auto decision = Decide();
  EXPECT_THAT(decision.node, Optional(0));
  EXPECT_NE(decision.error, "");
}

}  // namespace
}  // namespace berth
