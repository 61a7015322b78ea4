#pragma once

#include <chrono>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "berth/node.h"
#include "berth/pod.h"

namespace httplib {
class Client;
}

namespace berth {

// Chooses nodes as kube-scheduler does with deploy/extender/kube-scheduler-config.yaml: its own
// filters first (CPU, memory, GPU, number of pods, counting the pods it has placed itself), then
// the extender's filter and prioritize over HTTP, then the highest score. Two things are simpler
// here: every node that fits is offered (percentageOfNodesToScore: 100), and of equal scores the
// first node wins where kube-scheduler draws one.
class KubeScheduler {
 public:
  KubeScheduler(std::span<const NodeSpec> nodes, int extender_port);
  ~KubeScheduler();

  struct Decision {
    std::optional<size_t> node;         // position among the nodes; nullopt: the pod fits nowhere
    std::chrono::nanoseconds asking{};  // time in the extender, as kube-scheduler sees it
    std::string error;  // the extender gave no answer, and its absence was ignored; empty: it did
  };

  // Decides and reserves nothing.
  Decision Decide(const Pod& pod, const nlohmann::json& pod_object);

  // Counts the pod as running there from now on.
  void Assume(const Pod& pod, size_t node);

 private:
  struct Room {
    MilliCpu cpu;
    MiB memory;
    MilliGpu gpu;
    int pods = 110;  // kubelet's default
  };

  std::vector<size_t> Fitting(const Demand& demand) const;
  // The candidates that pass the extender's filter, and the best of them by its scores.
  std::vector<size_t> Filter(const std::string& pod, const std::vector<size_t>& candidates,
                             std::string& error);
  size_t Best(const std::string& pod, const std::vector<size_t>& candidates, std::string& error);
  nlohmann::json Ask(const std::string& verb, const std::string& pod,
                     const std::vector<size_t>& candidates, std::string& error);

  std::vector<std::string> names_;
  std::unordered_map<std::string, size_t> positions_;  // of names_
  std::vector<Room> rooms_;
  std::unique_ptr<httplib::Client> extender_;
};

}  // namespace berth
