#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <variant>

namespace berth {

// Neutral facts: what Kubernetes says, not yet what it means. Both ways in (the extender's watch
// and the scheduler plugin) send these; facts/interpret.h alone gives them meaning.

// Quantities by resource name, as kube-scheduler counts them: "cpu" in milli-cores, everything
// else in whole base units (bytes for "memory", pieces for "nvidia.com/gpu").
using ResourceFacts = std::map<std::string, int64_t>;

struct NodeFacts {
  std::string name;
  ResourceFacts allocatable;
  std::map<std::string, std::string> labels;       // those that facts/interpret.h reads
  std::map<std::string, std::string> annotations;  // those under berth.dev/
  bool ready = true;                               // condition Ready is not "False" or "Unknown"
  bool unschedulable = false;                      // cordoned

  bool operator==(const NodeFacts&) const = default;
};

struct PodFacts {
  std::string uid;
  std::string namespace_name;
  std::string name;
  ResourceFacts requests;  // of the whole pod, summed as kube-scheduler does
  std::map<std::string, std::string> annotations;  // those under berth.dev/
  int32_t priority = 0;
  std::string owner;      // "Kind/name" of the controller; empty: none
  std::string node_name;  // empty while pending

  // What was wrong with a request that could not be read, in plain words; empty: nothing.
  std::string unreadable;

  bool operator==(const PodFacts&) const = default;
};

struct NodeGone {
  std::string name;
  bool operator==(const NodeGone&) const = default;
};

struct PodGone {  // also for a pod that has terminated
  std::string uid;
  bool operator==(const PodGone&) const = default;
};

using FactEvent = std::variant<NodeFacts, NodeGone, PodFacts, PodGone>;

// Marks of a feed: what stands between them is a complete picture.
struct EpochBegins {
  bool operator==(const EpochBegins&) const = default;
};
struct EpochEnds {
  bool operator==(const EpochEnds&) const = default;
};

// One step of a feed, as proto/berth/v1/cluster.proto describes it.
using FeedEvent = std::variant<EpochBegins, EpochEnds, FactEvent>;

}  // namespace berth
