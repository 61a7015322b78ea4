#pragma once

#include <condition_variable>
#include <deque>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "facts/facts.h"

namespace berth {

// What the API server says right now: the latest facts of every node (by name) and every pod that
// has not terminated (by UID, so that a pod re-created under its old name is another pod). The
// watch writes, a feeder reads. Thread-safe.
class FactStore {
 public:
  // A complete list: what is not in it is gone. Only differences become events.
  void ReplaceNodes(std::vector<NodeFacts> nodes);
  void ReplacePods(std::vector<PodFacts> pods);

  // One change from a watch. Repeats change nothing.
  void Apply(FactEvent event);

  // True once both nodes and pods have been listed.
  bool Synced() const;

  // Starts a feed anew: the next calls of Next() give EpochBegins, everything there is, EpochEnds,
  // and then changes in order. One reader at a time.
  void Restart();

  // Waits for the next event of the feed, and for Synced() before the first. nullopt when `stop`
  // was requested.
  std::optional<FeedEvent> Next(std::stop_token stop);
};

}  // namespace berth
