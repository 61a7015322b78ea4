#include "demo/kube_scheduler.h"

#include <httplib.h>

namespace berth {

using nlohmann::json;

KubeScheduler::KubeScheduler(std::span<const NodeSpec> nodes, int extender_port)
    : extender_(std::make_unique<httplib::Client>("127.0.0.1", extender_port)) {
  for (const NodeSpec& node : nodes) {
    positions_.emplace(node.name.value(), names_.size());
    names_.push_back(node.name.value());
    rooms_.push_back({.cpu = node.cpu, .memory = node.memory, .gpu = kWholeGpu * node.gpus});
  }
  extender_->set_keep_alive(true);
  extender_->set_tcp_nodelay(true);
}

KubeScheduler::~KubeScheduler() = default;

std::vector<size_t> KubeScheduler::Fitting(const Demand& demand) const {
  std::vector<size_t> fitting;
  for (size_t i = 0; i < rooms_.size(); ++i) {
    const Room& room = rooms_[i];
    if (room.cpu >= demand.cpu && room.memory >= demand.memory && room.gpu >= demand.TotalGpu() &&
        room.pods > 0) {
      fitting.push_back(i);
    }
  }
  return fitting;
}

json KubeScheduler::Ask(const std::string& verb, const std::string& pod,
                        const std::vector<size_t>& candidates, std::string& error) {
  std::string body = R"({"Pod":)" + pod + R"(,"Nodes":null,"NodeNames":[)";
  for (size_t i = 0; i < candidates.size(); ++i) {
    body.append(i == 0 ? "\"" : ",\"").append(names_[candidates[i]]).append("\"");
  }
  const httplib::Result answer = extender_->Post("/" + verb, body + "]}", "application/json");
  if (!answer) {
    error = verb + ": " + httplib::to_string(answer.error());
  } else if (answer->status != 200) {
    error = verb + ": " + answer->body;
  } else {
    return json::parse(answer->body);
  }
  return nullptr;
}

std::vector<size_t> KubeScheduler::Filter(const std::string& pod,
                                          const std::vector<size_t>& candidates,
                                          std::string& error) {
  const json reply = Ask("filter", pod, candidates, error);
  if (error.empty()) error = reply["Error"].get<std::string>();
  if (!error.empty()) return candidates;  // ignorable: true
  std::vector<size_t> passed;
  for (const json& name : reply["NodeNames"]) passed.push_back(positions_.at(name));
  return passed;
}

size_t KubeScheduler::Best(const std::string& pod, const std::vector<size_t>& candidates,
                           std::string& error) {
  const json priorities = Ask("prioritize", pod, candidates, error);
  size_t best = candidates.front();
  int64_t best_score = -1;
  for (const json& priority : priorities) {
    const int64_t score = priority["Score"];
    if (score > best_score) {
      best = positions_.at(priority["Host"]);
      best_score = score;
    }
  }
  return best;
}

KubeScheduler::Decision KubeScheduler::Decide(const Pod& pod, const json& pod_object) {
  Decision decision;
  const std::vector<size_t> candidates = Fitting(pod.demand);
  if (candidates.empty()) return decision;
  const std::string text = pod_object.dump();

  const auto start = std::chrono::steady_clock::now();
  const std::vector<size_t> passed = Filter(text, candidates, decision.error);
  if (passed.size() == 1) decision.node = passed.front();
  if (passed.size() > 1) decision.node = Best(text, passed, decision.error);
  decision.asking = std::chrono::steady_clock::now() - start;
  return decision;
}

void KubeScheduler::Assume(const Pod& pod, size_t node) {
  Room& room = rooms_[node];
  room.cpu -= pod.demand.cpu;
  room.memory -= pod.demand.memory;
  room.gpu -= pod.demand.TotalGpu();
  --room.pods;
}

}  // namespace berth
