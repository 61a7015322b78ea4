#include <absl/strings/str_cat.h>

#include <random>

#include "bench/cluster_list.h"
#include "bench/sections.h"
#include "bench/times.h"
#include "demo/berth_processes.h"
#include "rpc/feed_client.h"

namespace berth {
namespace {

// Pods end, and others of their kind start in their places.
Status SendChanges(ClusterFacts& facts, int events, CountedFeed& feed) {
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
  ClusterFacts facts(input.cluster);
  CountedFeed feed(**stream);
  const auto start = Stopwatch::now();
  if (Status status = feed.SendList(facts); !status.ok()) return status;
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
