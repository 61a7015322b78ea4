#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <map>
#include <mutex>
#include <stop_token>
#include <string>
#include <thread>
#include <utility>
#include <variant>

#include "kube/fact_store.h"

namespace berth {

// A copy of the cluster built from what a FactStore feeds, as a scoring service builds its own. For
// tests that wait for the store to say something.
class FedCluster {
 public:
  explicit FedCluster(FactStore& store) : store_(store) {}

  std::map<std::string, NodeFacts> nodes;  // by name
  std::map<std::string, PodFacts> pods;    // by UID
  int epochs = 0;                          // that are complete

  // GPUs that bound pods leave free on a node.
  int64_t FreeGpus(const std::string& node) const {
    int64_t free = nodes.contains(node) ? GpusIn(nodes.at(node).allocatable) : 0;
    for (const auto& [uid, pod] : pods) {
      if (pod.node_name == node) free -= GpusIn(pod.requests);
    }
    return free;
  }

  // Reads the feed until `condition` holds between two epochs; false after three minutes.
  bool Await(const std::function<bool()>& condition) {
    Deadline deadline;
    while (in_epoch_ || epochs == 0 || !condition()) {
      const std::optional<FeedEvent> event = store_.Next(deadline.token());
      if (!event) return false;
      Take(*event);
    }
    return true;
  }

 private:
  // A token that stops by itself.
  class Deadline {
   public:
    Deadline() : thread_([this](std::stop_token over) { Wait(over); }) {}
    std::stop_token token() const { return source_.get_token(); }

   private:
    void Wait(std::stop_token over) {
      std::unique_lock lock(mutex_);
      wake_.wait_for(lock, over, std::chrono::minutes(3), [] { return false; });
      source_.request_stop();
    }
    std::stop_source source_;
    std::mutex mutex_;
    std::condition_variable_any wake_;
    std::jthread thread_;
  };

  static int64_t GpusIn(const ResourceFacts& resources) {
    const auto found = resources.find("nvidia.com/gpu");
    return found == resources.end() ? 0 : found->second;
  }

  void Take(const FeedEvent& event) {
    if (std::holds_alternative<EpochBegins>(event)) {
      nodes.clear();
      pods.clear();
      in_epoch_ = true;
    } else if (std::holds_alternative<EpochEnds>(event)) {
      in_epoch_ = false;
      ++epochs;
    } else {
      std::visit([this](const auto& change) { Take(change); }, std::get<FactEvent>(event));
    }
  }
  void Take(const NodeFacts& node) { nodes[node.name] = node; }
  void Take(const PodFacts& pod) { pods[pod.uid] = pod; }
  void Take(const NodeGone& node) { nodes.erase(node.name); }
  void Take(const PodGone& pod) { pods.erase(pod.uid); }

  FactStore& store_;
  bool in_epoch_ = false;
};

}  // namespace berth
