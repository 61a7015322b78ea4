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
//
// A reader that falls far behind is given a new epoch instead of the changes that it missed, so
// what waits for it never takes more room than what exists.
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

 private:
  // What Next() gives next: the marks of an epoch, the objects between them in the order of their
  // keys after `listed_`, or changes. Listing follows the live maps, so it needs no copy of them.
  enum class Phase { kBegins, kNodes, kPods, kChanges };

  // True when this changes what is known.
  bool Set(const NodeFacts& node);
  bool Set(const PodFacts& pod);
  bool Set(const NodeGone& node);
  bool Set(const PodGone& pod);

  void Change(FactEvent event);
  // True when this epoch's listing has passed the object, so that the reader must be told.
  bool IsListed(const FactEvent& event) const;
  bool HasNext() const;
  FeedEvent TakeNext();

  mutable std::mutex mutex_;
  std::condition_variable_any changed_;
  bool nodes_listed_ = false;
  bool pods_listed_ = false;
  std::map<std::string, NodeFacts> nodes_;  // by name
  std::map<std::string, PodFacts> pods_;    // by UID
  Phase phase_ = Phase::kBegins;
  std::string listed_;             // key of the object that was listed last
  std::deque<FactEvent> changes_;  // of objects that were listed in this epoch
};

}  // namespace berth
