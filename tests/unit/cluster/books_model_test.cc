#include <gtest/gtest.h>
#include <spdlog/sinks/null_sink.h>

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "base/rng.h"
#include "cluster/books.h"
#include "example_cluster.h"
#include "naive_cluster.h"

namespace berth {
namespace {

// Unlike best fit: the last GPUs that fit.
GpuSet LastThatFit(const Node& node, const Demand& demand, const WorkloadProfile&) {
  GpuSet chosen;
  for (int gpu = static_cast<int>(node.free.gpus.size()) - 1; gpu >= 0; --gpu) {
    if (chosen.size() == static_cast<size_t>(demand.gpus)) break;
    if (node.free.gpus[gpu] >= demand.per_gpu) chosen.insert(chosen.begin(), gpu);
  }
  return chosen;
}

// Few nodes and pods, so that everything happens to everyone.
class RandomFacts {
 public:
  explicit RandomFacts(uint64_t seed) : rng_(seed) {}

  int Below(int limit) { return static_cast<int>(rng_() % static_cast<uint64_t>(limit)); }

  NodeName AnyNodeName() { return NodeName("n" + std::to_string(Below(5))); }
  PodUid AnyUid() { return PodUid("p" + std::to_string(Below(40))); }

  NodeSpec AnyNode() {
    constexpr int kGpus[] = {0, 1, 2, 4, 8};
    NodeSpec node = GpuNode(AnyNodeName().value(), kGpus[Below(5)],
                            Below(2) == 0 ? GpuAccounting::kManaged : GpuAccounting::kObserved);
    node.cpu = MilliCpu(2'000 + 1'000 * Below(8));
    node.cordoned = Below(4) == 0;
    return node;
  }

  Demand AnyDemand() {
    constexpr int kCounts[] = {1, 1, 2, 4, 9};
    switch (Below(8)) {
      case 0:
        return CpuOnly(100 * Below(20));
      case 1:
      case 2:
        return WholeGpus(kCounts[Below(5)]);
      case 3: {
        Demand invalid = WholeGpus(1 + Below(3));
        invalid.per_gpu = MilliGpu(100 * (1 + Below(10)));
        invalid.invalid = "shares of several GPUs";
        return invalid;
      }
      default:
        return Share(50 * (1 + Below(20)));
    }
  }

  Pod AnyPod() {
    Pod pod = Pending(AnyUid().value(), AnyDemand());
    pod.priority = Below(2);
    if (Below(5) > 0) pod.node = AnyNodeName();
    return pod;
  }

 private:
  Rng rng_;
};

class BooksModel : public ::testing::TestWithParam<uint64_t> {
 protected:
  BooksModel()
      : random_(GetParam()),
        naive_(Chooser()),
        books_(std::make_unique<Books>(Chooser(), EmptyProfile(), oddities_)) {}

  static GpuChooser Chooser() { return GetParam() % 2 == 0 ? BestFitChooser : LastThatFit; }

  void ApplyAny() {
    const int kind = random_.Below(100);
    if (kind < 10) {
      const NodeSpec node = random_.AnyNode();
      naive_.UpsertNode(node);
      books_->UpsertNode(node);
    } else if (kind < 14) {
      const NodeName name = random_.AnyNodeName();
      naive_.RemoveNode(name);
      books_->RemoveNode(name);
    } else if (kind < 60) {
      const Pod pod = random_.AnyPod();
      naive_.UpsertPod(pod);
      books_->UpsertPod(pod);
    } else if (kind < 70) {
      RestateAnyNodes();
    } else if (kind < 99) {
      const PodUid uid = random_.AnyUid();
      naive_.RemovePod(uid);
      books_->RemovePod(uid);
    } else {
      RenewFromAnyPicture();
    }
  }

  // What a scheduler tells that has assumed pods, and taken some back.
  void RestateAnyNodes() {
    std::vector<NodeState> changed;
    std::set<PodUid> stated;
    for (int i = 0; i < 5; ++i) {
      if (random_.Below(3) > 0) continue;
      NodeState& state = changed.emplace_back(random_.AnyNode());
      state.node.name = NodeName("n" + std::to_string(i));
      for (int pods = random_.Below(5); pods > 0; --pods) {
        Pod pod = random_.AnyPod();
        pod.node = state.node.name;
        if (stated.insert(pod.uid).second) state.pods.push_back(std::move(pod));
      }
    }
    const std::vector<NodeName> gone(random_.Below(4) == 0 ? 1 : 0, random_.AnyNodeName());
    RestateNaively(changed, gone);
    books_->Restate(changed, gone);
  }

  void RestateNaively(const std::vector<NodeState>& changed, const std::vector<NodeName>& gone) {
    for (const NodeName& name : gone) {
      KeepOnlyNaively({}, name);
      naive_.RemoveNode(name);
    }
    for (const NodeState& state : changed) KeepOnlyNaively(state.pods, state.node.name);
    for (const NodeState& state : changed) {
      naive_.UpsertNode(state.node);
      for (const Pod& pod : state.pods) naive_.UpsertPod(pod);
    }
  }

  void KeepOnlyNaively(const std::vector<Pod>& pods, const NodeName& on) {
    for (const auto& [uid, known] : naive_.Facts().pods) {
      const bool stays = std::ranges::any_of(pods, [&](const Pod& pod) { return pod.uid == uid; });
      if (known.node == on && !stays) naive_.RemovePod(uid);
    }
  }

  // What a feeder lists after it was away for a while.
  void RenewFromAnyPicture() {
    Picture picture = naive_.Facts();
    std::erase_if(picture.pods, [&](const auto&) { return random_.Below(8) == 0; });
    for (int i = 0; i < 3; ++i) {
      const Pod pod = random_.AnyPod();
      picture.pods.insert_or_assign(pod.uid, pod);
    }
    const NodeSpec node = random_.AnyNode();
    picture.nodes.insert_or_assign(node.name, node);
    naive_.Renew(picture);
    books_ = std::make_unique<Books>(*books_, picture);
  }

  void ExpectSame() {
    const Picture facts = naive_.Facts();
    EXPECT_EQ(books_->totals(), naive_.Totals());
    EXPECT_EQ(books_->parked_pods(), naive_.ParkedPods());
    EXPECT_EQ(books_->overcommitted_nodes(), naive_.OvercommittedNodes());
    EXPECT_EQ(books_->NodeNames().size(), facts.nodes.size());
    for (const auto& [uid, pod] : facts.pods) {
      EXPECT_EQ(books_->SeatOf(uid), naive_.SeatOf(uid)) << uid.value();
    }
    for (const auto& [name, spec] : facts.nodes) ExpectSameNode(name, spec);
    EXPECT_EQ(naive_.BrokenInvariant(), "");
  }

  void ExpectSameNode(const NodeName& name, const NodeSpec& spec) {
    const Node* node = books_->Find(name);
    ASSERT_NE(node, nullptr) << name.value();
    EXPECT_EQ(*node->spec, spec);
    EXPECT_EQ(node->free, naive_.Free(name)) << name.value();
    // One generation, one state, for all time and all nodes.
    const auto& [known_spec, known_free] =
        states_.try_emplace(node->generation, *node->spec, node->free).first->second;
    EXPECT_EQ(known_spec, *node->spec) << "generation " << node->generation;
    EXPECT_EQ(known_free, node->free) << "generation " << node->generation;
  }

  Metrics metrics_;
  Logger log_{"test", std::make_shared<spdlog::sinks::null_sink_mt>()};
  OddityLog oddities_{metrics_, log_};
  RandomFacts random_;
  NaiveCluster naive_;
  std::unique_ptr<Books> books_;
  std::map<uint64_t, std::pair<NodeSpec, FreeState>> states_;
};

TEST_P(BooksModel, TenThousandEventsGiveWhatTheFactsSay) {
  for (int event = 0; event < 10'000; ++event) {
    ApplyAny();
    if (event % 4 == 0) ExpectSame();
    ASSERT_FALSE(HasFailure()) << "seed " << GetParam() << ", event " << event;
  }
}

INSTANTIATE_TEST_SUITE_P(Seeds, BooksModel, ::testing::Range<uint64_t>(1, 5),
                         [](const auto& info) { return "Seed" + std::to_string(info.param); });

}  // namespace
}  // namespace berth
