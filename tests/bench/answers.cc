#include "bench/answers.h"

#include <absl/strings/str_cat.h>
#include <httplib.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <random>

#include "bench/times.h"
#include "demo/objects.h"
#include "demo/workload.h"
#include "kube/object_facts.h"
#include "rpc/scoring_client.h"

namespace berth {
namespace {

using nlohmann::json;
using Names = std::vector<std::string>;

constexpr std::chrono::seconds kPatience{10};

// One way of asking: times filter and prioritize of one pod, and returns the best node.
class Asker {
 public:
  virtual ~Asker() = default;
  virtual Result<std::string> Ask(const json& pod, const Names& candidates) = 0;
  Times filter, prioritize;
};

class GrpcAsker final : public Asker {
 public:
  explicit GrpcAsker(const std::string& service) : client_(MakeScoringClient(service, kPatience)) {}

  Result<std::string> Ask(const json& pod, const Names& candidates) override {
    const PodFacts facts = PodFactsFrom(pod).value();
    const auto refused = filter.Measure([&] { return client_->Filter(facts, candidates); });
    if (!refused.ok()) return refused.status();
    const auto order = prioritize.Measure([&] { return client_->Score(facts, candidates); });
    if (!order.ok()) return order.status();
    return candidates[order->order.front()];
  }

 private:
  const std::unique_ptr<ScoringClient> client_;
};

class HttpAsker final : public Asker {
 public:
  explicit HttpAsker(int port) : client_("127.0.0.1", port) {
    client_.set_keep_alive(true);
    client_.set_tcp_nodelay(true);
  }

  // The order of questions is kube-scheduler's: what passed filter is prioritized.
  Result<std::string> Ask(const json& pod, const Names& candidates) override {
    const auto passed = Post(filter, "/filter", pod, candidates);
    if (!passed.ok()) return passed.status();
    const Names names = (*passed)["NodeNames"].get<Names>();
    if (names.empty()) return candidates.front();
    const auto priorities = Post(prioritize, "/prioritize", pod, names);
    if (!priorities.ok()) return priorities.status();
    const auto best = std::ranges::max_element(
        *priorities, {}, [](const json& entry) { return entry["Score"].get<int>(); });
    return (*best)["Host"].get<std::string>();
  }

 private:
  Result<json> Post(Times& times, const std::string& verb, const json& pod, const Names& names) {
    const std::string body = json{{"Pod", pod}, {"Nodes", nullptr}, {"NodeNames", names}}.dump();
    const httplib::Result answer =
        times.Measure([&] { return client_.Post(verb, body, "application/json"); });
    if (answer && answer->status == 200) return json::parse(answer->body);
    return absl::UnavailableError(
        absl::StrCat(verb, ": ", answer ? answer->body : httplib::to_string(answer.error())));
  }

  httplib::Client client_;
};

// The pods that ask, and what becomes of them.
class Arrivals {
 public:
  Arrivals(const BenchInput& input, FakeApiServer& api_server, BerthProcesses& berth)
      : input_(input), api_server_(api_server), berth_(berth), rng_(2) {
    for (const NodeSpec& node : input.cluster.nodes) names_.push_back(node.name.value());
    pods_ = DrawPods(*input.profile, MilliGpu(1'000'000'000), 4 * input.sizes.questions, rng_);
  }

  // Times the pods that come next, with `candidates` random nodes each.
  Status Time(Asker& asker, size_t candidates) {
    for (int i = 0; i < input_.sizes.questions; ++i) {
      Pod pod = pods_[next_++ % pods_.size()];
      pod.name = absl::StrCat("bench/asked-", next_);
      pod.uid = PodUid(absl::StrCat("asked-", next_));
      const auto best = asker.Ask(PodObject(pod), SomeNames(candidates));
      if (!best.ok()) return best.status();
      if (Status status = Bind(std::move(pod), *best); !status.ok()) return status;
    }
    return {};
  }

 private:
  Names SomeNames(size_t count) {
    std::shuffle(names_.begin(), names_.end(), rng_);
    return {names_.begin(), names_.begin() + static_cast<ptrdiff_t>(count)};
  }

  Status Bind(Pod pod, const std::string& node) {
    pod.node = NodeName(node);
    api_server_.Put(FakeApiServer::Kind::kPods, PodObject(pod));
    return berth_.AwaitBoundPods(api_server_.Count(FakeApiServer::Kind::kPods));
  }

  const BenchInput& input_;
  FakeApiServer& api_server_;
  BerthProcesses& berth_;
  Rng rng_;
  Names names_;
  std::vector<Pod> pods_;
  size_t next_ = 0;
};

void AddTimes(const std::string& what, size_t candidates, const std::string& policy, Times& times,
              Report& report) {
  for (const int percent : {50, 99}) {
    report.Add(absl::StrCat(what, "_p", percent, "_ms_at_", candidates, "_candidates_", policy),
               times.Milliseconds(percent / 100.0));
  }
}

}  // namespace

Status MeasureAnswers(const BenchInput& input, const std::string& policy, FakeApiServer& api_server,
                      BerthProcesses& berth, Report& report) {
  report.Section(absl::StrCat("Answers with ", policy, ": gRPC, and the extender over HTTP"));
  Arrivals arrivals(input, api_server, berth);
  for (const size_t candidates : {input.sizes.few_nodes, input.sizes.nodes}) {
    GrpcAsker grpc(berth.service());
    HttpAsker http(berth.extender_port());
    Status status = arrivals.Time(grpc, candidates);
    if (status.ok()) status = arrivals.Time(http, candidates);
    if (!status.ok()) return status;
    AddTimes("grpc_filter", candidates, policy, grpc.filter, report);
    AddTimes("grpc_score", candidates, policy, grpc.prioritize, report);
    AddTimes("http_filter", candidates, policy, http.filter, report);
    AddTimes("http_prioritize", candidates, policy, http.prioritize, report);
  }
  return {};
}

}  // namespace berth
