#include "sim/packing_recorder.h"

#include <utility>

#include "cluster/fragmentation.h"

namespace berth {
namespace {

PackingRecord EmptyRecord(const Trace& trace) {
  MilliGpu capacity;
  for (const NodeSpec& node : trace.nodes) capacity += kWholeGpu * node.gpus;
  const PercentMeans none(capacity);
  return {none, {none, none, none, none, none, none}};
}

}  // namespace

PackingRecorder::PackingRecorder(const Trace& trace)
    : profile_(trace.profile), splitter_(trace.nodes, trace.pods), record_(EmptyRecord(trace)) {}

void PackingRecorder::Record(const SimCluster& cluster, MilliGpu arrived) {
  if (nodes_.empty()) {
    nodes_ = cluster.nodes();
    idle_.resize(nodes_.size());
    for (size_t i = 0; i < nodes_.size(); ++i) LookAt(nodes_[i], i);
  } else {
    for (const uint32_t i : cluster.changes().subspan(changes_seen_)) {
      LookAt(cluster.nodes()[i], i);
    }
  }
  changes_seen_ = cluster.changes().size();
  const auto add = [arrived](double milli_gpu, PercentMeans& means) {
    means.Add(arrived, means.PercentOf(milli_gpu));
  };
  add(sum_.fragment, record_.fragmentation);
  for (size_t i = 0; i < kIdleGpuKinds; ++i) add(sum_.split[i], record_.idle[i]);
}

void PackingRecorder::LookAt(const Node& node, size_t number) {
  nodes_[number] = node;
  const Idle now{Fragmentation(node.spec->model, node.free, *profile_),
                 splitter_.Split(*node.spec, node.free)};
  const Idle before = std::exchange(idle_[number], now);
  sum_.fragment += now.fragment - before.fragment;
  for (size_t i = 0; i < kIdleGpuKinds; ++i) sum_.split[i] += now.split[i] - before.split[i];
}

}  // namespace berth
