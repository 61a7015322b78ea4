#include "kube/fact_store.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <future>
#include <random>
#include <string>
#include <thread>

#include "base/rng.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

NodeFacts Node(const std::string& name, int64_t gpus = 8) {
  return {.name = name, .allocatable = {{"nvidia.com/gpu", gpus}}};
}

PodFacts Pod(const std::string& uid, const std::string& node = "", const std::string& name = "p") {
  return {.uid = uid, .namespace_name = "ml", .name = name, .node_name = node};
}

FeedEvent Next(FactStore& store) { return *store.Next(std::stop_token()); }

FeedEvent Event(FactEvent event) { return event; }

const FeedEvent kBegins = EpochBegins{};
const FeedEvent kEnds = EpochEnds{};

std::vector<FeedEvent> Take(FactStore& store, int count) {
  std::vector<FeedEvent> events;
  for (int i = 0; i < count; ++i) events.push_back(Next(store));
  return events;
}

// The next event if there is one already.
std::optional<FeedEvent> TryNext(FactStore& store) {
  std::stop_source stopped;
  stopped.request_stop();
  return store.Next(stopped.get_token());
}

std::vector<FeedEvent> Drain(FactStore& store) {
  std::vector<FeedEvent> events;
  while (std::optional<FeedEvent> event = TryNext(store)) events.push_back(*std::move(event));
  return events;
}

FactStore& Listed(FactStore& store, std::vector<NodeFacts> nodes, std::vector<PodFacts> pods) {
  store.ReplaceNodes(std::move(nodes));
  store.ReplacePods(std::move(pods));
  return store;
}

TEST(FactStore, AFeedIsAnEpochAndThenChangesInOrder) {
  FactStore store;
  Listed(store, {Node("n2"), Node("n1")}, {Pod("u1", "n1")});
  EXPECT_THAT(Take(store, 5), ElementsAre(kBegins, Event(Node("n1")), Event(Node("n2")),
                                          Event(Pod("u1", "n1")), kEnds));
  store.Apply(Pod("u2"));
  store.Apply(Node("n1", 4));
  store.Apply(PodGone{"u1"});
  store.Apply(NodeGone{"n2"});
  EXPECT_THAT(Take(store, 4), ElementsAre(Event(Pod("u2")), Event(Node("n1", 4)),
                                          Event(PodGone{"u1"}), Event(NodeGone{"n2"})));
}

// WA-08: half a picture is no picture.
TEST(FactStore, GivesNothingBeforeNodesAndPodsAreListed) {
  FactStore store;
  EXPECT_FALSE(store.Synced());
  store.Apply(Node("early"));
  EXPECT_THAT(Drain(store), IsEmpty());
  store.ReplaceNodes({Node("n1")});
  EXPECT_FALSE(store.Synced());
  EXPECT_THAT(Drain(store), IsEmpty());
  store.ReplacePods({});
  EXPECT_TRUE(store.Synced());
  EXPECT_THAT(Take(store, 3), ElementsAre(kBegins, Event(Node("n1")), kEnds));
}

TEST(FactStore, AnEmptyClusterIsAnEpochToo) {
  FactStore store;
  Listed(store, {}, {});
  EXPECT_THAT(Take(store, 2), ElementsAre(kBegins, kEnds));
}

TEST(FactStore, RepeatsAndUnknownObjectsGoneChangeNothing) {
  FactStore store;
  Listed(store, {Node("n1")}, {Pod("u1")});
  Take(store, 4);
  store.Apply(Node("n1"));
  store.Apply(Pod("u1"));
  store.Apply(PodGone{"never seen"});
  store.Apply(NodeGone{"never seen"});
  Listed(store, {Node("n1")}, {Pod("u1")});
  EXPECT_THAT(Drain(store), IsEmpty());
}

TEST(FactStore, ANewListGivesOnlyDifferencesAndWhatIsGoneFirst) {
  FactStore store;
  Listed(store, {Node("n1"), Node("n2")}, {Pod("u1", "n1"), Pod("u2", "n2"), Pod("u3", "n2")});
  Take(store, 7);
  Listed(store, {Node("n0"), Node("n1")}, {Pod("u2", "n1"), Pod("u3", "n2"), Pod("u0")});
  EXPECT_THAT(Take(store, 5),
              ElementsAre(Event(NodeGone{"n2"}), Event(Node("n0")), Event(PodGone{"u1"}),
                          Event(Pod("u2", "n1")), Event(Pod("u0"))));
  EXPECT_THAT(Drain(store), IsEmpty());
}

// WA-06: the relist shows a pod of the same name; it is another pod all the same.
TEST(FactStore, SameNameAndNewUidIsAnotherPod) {
  FactStore store;
  Listed(store, {}, {Pod("u1", "n1", "w-0")});
  Take(store, 3);
  store.ReplacePods({Pod("u2", "", "w-0")});
  EXPECT_THAT(Take(store, 2), ElementsAre(Event(PodGone{"u1"}), Event(Pod("u2", "", "w-0"))));
  store.Apply(PodGone{"u1"});  // late, and for nobody
  EXPECT_THAT(Drain(store), IsEmpty());
}

TEST(FactStore, RestartTellsEverythingAgainAndForgetsOldChanges) {
  FactStore store;
  Listed(store, {Node("n1")}, {Pod("u1")});
  Take(store, 4);
  store.Apply(Node("n1", 4));
  store.Apply(PodGone{"u1"});
  store.Restart();
  EXPECT_THAT(Take(store, 3), ElementsAre(kBegins, Event(Node("n1", 4)), kEnds));
  EXPECT_THAT(Drain(store), IsEmpty());
}

TEST(FactStore, RestartInTheMiddleOfAnEpochBeginsAnew) {
  FactStore store;
  Listed(store, {Node("n1"), Node("n2")}, {});
  Take(store, 2);
  store.Restart();
  EXPECT_THAT(Take(store, 4), ElementsAre(kBegins, Event(Node("n1")), Event(Node("n2")), kEnds));
}

// What changes while it is being listed is told exactly once: in the list if it has not been
// passed yet, else after the list.
TEST(FactStore, ChangesDuringAnEpoch) {
  FactStore store;
  Listed(store, {Node("n1"), Node("n3")}, {Pod("u1"), Pod("u3")});
  EXPECT_THAT(Take(store, 2), ElementsAre(kBegins, Event(Node("n1"))));
  store.Apply(Node("n0"));     // before the cursor: after the list
  store.Apply(Node("n1", 1));  // at the cursor: after the list
  store.Apply(Node("n2"));     // behind it: in the list
  store.Apply(NodeGone{"n3"});
  store.Apply(Pod("u2"));
  EXPECT_THAT(Take(store, 2), ElementsAre(Event(Node("n2")), Event(Pod("u1"))));
  store.Apply(PodGone{"u1"});
  store.Apply(PodGone{"u3"});
  store.Apply(Node("n9"));
  EXPECT_THAT(Take(store, 2), ElementsAre(Event(Pod("u2")), kEnds));
  EXPECT_THAT(Take(store, 4), ElementsAre(Event(Node("n0")), Event(Node("n1", 1)),
                                          Event(PodGone{"u1"}), Event(Node("n9"))));
  EXPECT_THAT(Drain(store), IsEmpty());
}

TEST(FactStore, AReaderFarBehindGetsANewEpoch) {
  FactStore store;
  Listed(store, {Node("n1")}, {});
  Take(store, 3);
  for (int gpus = 100; gpus < 2000; ++gpus) store.Apply(Node("n1", gpus));
  const std::vector<FeedEvent> events = Take(store, 3);
  EXPECT_THAT(events, ElementsAre(kBegins, Event(Node("n1", 1999)), kEnds));
  EXPECT_THAT(Drain(store), IsEmpty());
}

TEST(FactStore, AWaitingReaderWakesForChangesAndForStop) {
  FactStore store;
  Listed(store, {}, {});
  Take(store, 2);
  std::promise<FeedEvent> change;
  std::promise<std::optional<FeedEvent>> end;
  std::jthread reader([&](std::stop_token stop) {
    change.set_value(*store.Next(stop));
    end.set_value(store.Next(stop));
  });
  store.Apply(Node("n1"));
  EXPECT_EQ(change.get_future().get(), Event(Node("n1")));
  reader.request_stop();
  EXPECT_EQ(end.get_future().get(), std::nullopt);
}

// A reader's own copy of the cluster, as a scoring service keeps it.
class Mirror {
 public:
  void Apply(const FeedEvent& event) {
    if (std::holds_alternative<EpochBegins>(event)) {
      nodes_.clear();
      pods_.clear();
      in_epoch_ = true;
    } else if (std::holds_alternative<EpochEnds>(event)) {
      in_epoch_ = false;
    } else {
      std::visit([this](const auto& change) { Apply(change); }, std::get<FactEvent>(event));
    }
  }
  bool operator==(const Mirror&) const = default;

  void Apply(const NodeFacts& node) { nodes_[node.name] = node; }
  void Apply(const PodFacts& pod) { pods_[pod.uid] = pod; }
  void Apply(const NodeGone& node) { nodes_.erase(node.name); }
  void Apply(const PodGone& pod) { pods_.erase(pod.uid); }

  std::vector<NodeFacts> Nodes() const {
    std::vector<NodeFacts> nodes;
    for (const auto& [name, node] : nodes_) nodes.push_back(node);
    return nodes;
  }
  std::vector<PodFacts> Pods() const {
    std::vector<PodFacts> pods;
    for (const auto& [uid, pod] : pods_) pods.push_back(pod);
    return pods;
  }

 private:
  bool in_epoch_ = false;
  std::map<std::string, NodeFacts> nodes_;
  std::map<std::string, PodFacts> pods_;
};

FactEvent RandomEvent(Rng& rng) {
  const auto pick = [&rng](int n) { return std::uniform_int_distribution(0, n - 1)(rng); };
  const std::string name = "n" + std::to_string(pick(20)), uid = "u" + std::to_string(pick(60));
  switch (pick(4)) {
    case 0:
      return Node(name, pick(4));
    case 1:
      return NodeGone{name};
    case 2:
      return Pod(uid, name);
    default:
      return PodGone{uid};
  }
}

TEST(FactStore, AReaderEndsUpWithWhatTheWriterSaidWhateverHappensInBetween) {
  const unsigned seed = std::random_device{}();
  SCOPED_TRACE("seed " + std::to_string(seed));
  Rng rng(seed);
  const auto one_in = [&rng](int n) { return std::uniform_int_distribution(1, n)(rng) == 1; };
  FactStore store;
  Mirror truth, reader;
  Listed(store, {}, {});
  for (int step = 0; step < 10'000; ++step) {
    const FactEvent event = RandomEvent(rng);
    std::visit([&truth](const auto& change) { truth.Apply(change); }, event);
    if (one_in(50)) {
      Listed(store, truth.Nodes(), truth.Pods());
    } else {
      store.Apply(event);
    }
    if (one_in(200)) store.Restart();
    // The reader keeps up most of the time, and falls far behind every now and then.
    if (step / 2500 % 2 != 0 || one_in(2)) continue;
    if (const std::optional<FeedEvent> next = TryNext(store)) reader.Apply(*next);
  }
  for (const FeedEvent& event : Drain(store)) reader.Apply(event);
  EXPECT_EQ(reader, truth);
}

TEST(FactStore, WritersAndAReaderMayRunAtOnce) {
  FactStore store;
  Listed(store, {}, {});
  constexpr int kEvents = 5000;
  std::jthread node_writer([&store] {
    for (int i = 1; i <= kEvents; ++i) store.Apply(Node("n" + std::to_string(i % 100), i));
  });
  std::jthread pod_writer([&store] {
    for (int i = 1; i <= kEvents; ++i)
      store.Apply(Pod("u" + std::to_string(i % 100), "", std::to_string(i)));
  });
  Mirror reader, want;
  for (int i = kEvents - 99; i <= kEvents; ++i) {
    want.Apply(Node("n" + std::to_string(i % 100), i));
    want.Apply(Pod("u" + std::to_string(i % 100), "", std::to_string(i)));
  }
  while (!(reader == want)) reader.Apply(Next(store));
  EXPECT_TRUE(store.Synced());
}

}  // namespace
}  // namespace berth
