#include <absl/strings/str_cat.h>

#include <memory>
#include <nlohmann/json.hpp>
#include <random>
#include <thread>

#include "bench/sections.h"
#include "bench/times.h"
#include "demo/berth_processes.h"
#include "demo/objects.h"
#include "kube/object_facts.h"
#include "rpc/feed_client.h"

namespace berth {
namespace {

// Sends events and waits until the service has applied them.
class Feed {
 public:
  explicit Feed(FeedStream& stream) : stream_(stream) {}

  Status Send(const FeedEvent& event) {
    ++sent_;
    return stream_.Send(event);
  }
  Status AwaitApplied() const {
    while (stream_.Acknowledged() < sent_) {
      if (stream_.Over().stop_requested()) return absl::UnavailableError("the feed ended");
      std::this_thread::yield();  // acknowledgements do not wake anybody
    }
    return {};
  }
  uint64_t sent() const { return sent_; }

 private:
  FeedStream& stream_;
  uint64_t sent_ = 0;
};

// Facts about the cluster, made before anything is timed.
struct Facts {
  explicit Facts(const BusyCluster& cluster) {
    for (const NodeSpec& node : cluster.nodes) {
      nodes.push_back(NodeFactsFrom(NodeObject(node)).value());
    }
    for (const Pod& pod : cluster.pods) pods.push_back(PodFactsFrom(PodObject(pod)).value());
  }
  std::vector<NodeFacts> nodes;
  std::vector<PodFacts> pods;
};

Status SendList(const Facts& facts, Feed& feed) {
  Status sent = feed.Send(EpochBegins());
  for (const NodeFacts& node : facts.nodes) sent.Update(feed.Send(FactEvent(node)));
  for (const PodFacts& pod : facts.pods) sent.Update(feed.Send(FactEvent(pod)));
  sent.Update(feed.Send(EpochEnds()));
  if (!sent.ok()) return sent;
  return feed.AwaitApplied();
}

// Pods end, and others of their kind start in their places.
Status SendChanges(Facts& facts, int events, Feed& feed) {
  Rng rng(1);
  std::uniform_int_distribution<size_t> pick(0, facts.pods.size() - 1);
  for (int i = 0; i < events; i += 2) {
    PodFacts& pod = facts.pods[pick(rng)];
    Status sent = feed.Send(FactEvent(PodGone{pod.uid}));
    pod.uid = absl::StrCat("later-", i);
    sent.Update(feed.Send(FactEvent(pod)));
    if (!sent.ok()) return sent;
  }
  return feed.AwaitApplied();
}

Status MeasureOnce(const BenchInput& input, const std::string& policy, const std::string& suffix,
                   Report& report) {
  auto service = BerthProcesses::StartService(input.bin, policy);
  if (!service.ok()) return service.status();
  auto stream = OpenFeed((*service)->service(), "benchmark");
  if (!stream.ok()) return stream.status();
  Facts facts(input.cluster);
  Feed feed(**stream);
  const auto start = Stopwatch::now();
  if (Status status = SendList(facts, feed); !status.ok()) return status;
  report.Add("feed_list_seconds" + suffix, SecondsSince(start));

  const uint64_t before = feed.sent();
  const auto changes = Stopwatch::now();
  if (Status status = SendChanges(facts, input.sizes.feed_events, feed); !status.ok()) {
    return status;
  }
  report.Add("feed_events_per_second" + suffix,
             static_cast<double>(feed.sent() - before) / SecondsSince(changes));
  return {};
}

}  // namespace

Status MeasureFeed(const BenchInput& input, Report& report) {
  report.Section("berth serve, fed as fast as it takes events");
  Status status = MeasureOnce(input, "fgd-bestfit", "_heuristic", report);
  if (status.ok()) status = MeasureOnce(input, "", "_torchscript", report);
  return status;
}

}  // namespace berth
