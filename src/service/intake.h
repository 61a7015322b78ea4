#pragma once

#include <absl/container/flat_hash_set.h>

#include <optional>
#include <string>

#include "base/log.h"
#include "base/metrics.h"
#include "berth/node.h"
#include "berth/pod.h"
#include "berth/v1/facts.pb.h"

namespace berth {

// The door for facts that a feeder tells. Facts that name no object or are larger than any that
// Kubernetes takes stay outside: they are counted in berth_feed_skipped_total{kind}, logged once
// per object and picture, and nothing else suffers. For one thread at a time.
class Intake {
 public:
  // `metrics` and `log` outlive this.
  Intake(Metrics& metrics, Logger& log);

  // What follows is of this feeder, and a new picture.
  void Begin(const std::string& feeder);

  // The meaning of the facts; nullopt when they stay outside.
  std::optional<NodeSpec> TakeNode(const v1::NodeFacts& proto);
  std::optional<Pod> TakePod(const v1::PodFacts& proto);

  // Whether a name is there at all; an empty one is skipped like other facts. `field` is where it
  // stands.
  bool NamesNode(const std::string& name, const std::string& field);
  bool NamesPod(const std::string& uid, const std::string& field);

 private:
  void Skip(Counter& skipped, const std::string& why, const std::string& object);

  Logger& log_;
  Counter& skipped_nodes_;
  Counter& skipped_pods_;
  std::string feeder_;
  absl::flat_hash_set<std::string> skipped_objects_;  // of this picture, for the log
};

}  // namespace berth
