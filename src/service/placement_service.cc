#include "service/placement_service.h"

#include <absl/container/flat_hash_set.h>
#include <absl/strings/str_cat.h>

#include <utility>
#include <vector>

#include "cluster/feasibility.h"
#include "facts/interpret.h"
#include "facts/limits.h"
#include "policy/ranking.h"
#include "rpc/convert.h"
#include "rpc/status.h"
#include "service/answering_policy.h"
#include "service/asked_pod.h"
#include "service/call_deadline.h"
#include "service/refusal_groups.h"

namespace berth {
namespace {

// Names and numbers seen so far: no two nodes may share one.
class Distinct {
 public:
  Status Add(const v1::NodeState& state) {
    const std::string& name = state.node().name();
    if (state.number() >= NodeNumbers::kEnd) {
      return absl::InvalidArgumentError(absl::StrCat(
          "number: of node ", name, " is ", state.number(), ", must be below ", NodeNumbers::kEnd));
    }
    if (!numbers_.insert(state.number()).second) {
      return absl::InvalidArgumentError(
          absl::StrCat("number: ", state.number(), " is that of ", name, " and another node"));
    }
    if (!name.empty() && !names_.insert(name).second) {
      return absl::InvalidArgumentError(absl::StrCat("node.name: ", name, " is there twice"));
    }
    return {};
  }

 private:
  absl::flat_hash_set<uint32_t> numbers_;
  absl::flat_hash_set<std::string> names_;
};

template <class Request>
Result<Demand> DemandOf(const Request& request) {
  const Result<PodFacts> pod = PodToPlace(request);
  if (!pod.ok()) return pod.status();
  return InterpretPod(*pod).demand;
}

std::vector<Pod> TakePods(const v1::NodeState& state, Intake& intake) {
  std::vector<Pod> pods;
  for (const v1::PodFacts& proto : state.pods()) {
    if (std::optional<Pod> pod = intake.TakePod(proto)) pods.push_back(*std::move(pod));
  }
  return pods;
}

void AddNode(const v1::NodeState& state, Intake& intake, Picture& picture) {
  std::optional<NodeSpec> node = intake.TakeNode(state.node());
  if (!node) return;
  for (Pod& pod : TakePods(state, intake)) {
    pod.node = node->name;
    picture.pods.insert_or_assign(pod.uid, std::move(pod));
  }
  picture.nodes.emplace(node->name, *std::move(node));
}

}  // namespace

PlacementService::PlacementService(ClusterState& state, FeedTurn& turn, const PolicySlot& policy,
                                   const Clock& clock, Metrics& metrics, Logger& log,
                                   const DecisionReporter* decisions)
    : state_(state),
      turn_(turn),
      policy_(policy),
      clock_(clock),
      decisions_(decisions),
      metrics_(metrics),
      log_(log),
      sync_metrics_("Sync", clock, metrics),
      rank_metrics_("Rank", clock, metrics),
      what_if_metrics_("WhatIf", clock, metrics),
      need_full_(metrics.AddCounter("berth_feed_need_full_total",
                                    "Times that a scheduler was asked to tell everything anew.")),
      intake_(metrics, log) {}

grpc::Status PlacementService::Sync(grpc::ServerContext* context,
                                    grpc::ServerReader<v1::SyncRequest>* reader,
                                    v1::SyncResponse*) {
  return sync_metrics_.Measure(0, [&] { return ToGrpc(DoSync(*context, *reader)); });
}

grpc::Status PlacementService::Rank(grpc::ServerContext* context, const v1::RankRequest* request,
                                    v1::RankResponse* response) {
  const Clock::TimePoint deadline = DeadlineOf(*context, clock_);
  return rank_metrics_.Measure(0, [&] { return ToGrpc(DoRank(*request, deadline, *response)); });
}

grpc::Status PlacementService::WhatIf(grpc::ServerContext*, const v1::WhatIfRequest* request,
                                      v1::WhatIfResponse* response) {
  return what_if_metrics_.Measure(1, [&] { return ToGrpc(DoWhatIf(*request, *response)); });
}

// Collected aside, so that a stream that breaks leaves no trace.
Status PlacementService::DoSync(const grpc::ServerContext& context,
                                grpc::ServerReader<v1::SyncRequest>& reader) {
  Told told;
  Picture picture;
  Distinct distinct;
  Intake intake(metrics_, log_);
  v1::SyncRequest part;
  for (bool first = true; reader.Read(&part); first = false) {
    if (first) {
      told.feeder = part.feeder();
      told.sequence = part.sequence();
      intake.Begin(part.feeder());
    }
    for (const v1::NodeState& state : part.nodes()) {
      if (Status status = distinct.Add(state); !status.ok()) return status;
      told.numbers.Assign(state.number(), NodeName(state.node().name()));
      AddNode(state, intake, picture);
    }
  }
  if (context.IsCancelled()) return absl::CancelledError("the stream ended before the picture");
  const std::scoped_lock lock(turn_.mutex());
  return TakeIn(std::move(told), picture);
}

Status PlacementService::TakeIn(Told told, const Picture& picture) {
  if (Status status = CheckIsNewest(told.feeder, told.sequence); !status.ok()) return status;
  const auto lost = [this](const Status& why) {
    log_.info("msg=\"feed ended\" feeder={} states={} reason={}", Quoted(told_->feeder),
              told_->sequence, Quoted(why.ToString()));
    told_.reset();
  };
  if (Status status = turn_.Take(this, lost); !status.ok()) return status;
  told_ = std::move(told);
  intake_.Begin(told_->feeder);
  state_.Renew(picture);
  turn_.EpochCompleted();
  log_.info("msg=\"epoch complete\" feeder={} nodes={} pods={}", Quoted(told_->feeder),
            picture.nodes.size(), picture.pods.size());
  return {};
}

// Whether this is a state that may follow what the feeder has told so far.
Status PlacementService::CheckIsNewest(const std::string& feeder, uint64_t sequence) const {
  if (feeder.empty()) return absl::InvalidArgumentError("feeder: is required");
  if (sequence == 0) return absl::InvalidArgumentError("sequence: is required, from 1 on");
  if (!told_ || told_->feeder != feeder || sequence > told_->sequence) return {};
  return absl::AbortedError(
      absl::StrCat("sequence: is ", sequence, ", but ", told_->sequence, " came before it"));
}

// Confirmed states only grow, so whoever had `base` confirmed and has told more since is known.
bool PlacementService::Has(const std::string& feeder, uint64_t base) const {
  return told_ && told_->feeder == feeder && base > 0 && base <= told_->sequence;
}

Status PlacementService::DoRank(const v1::RankRequest& request, Clock::TimePoint deadline,
                                v1::RankResponse& response) {
  const Clock::TimePoint start = clock_.Now();
  Result<PodFacts> pod = PodToPlace(request);
  if (!pod.ok()) return pod.status();
  Distinct distinct;
  for (const v1::NodeState& state : request.changed()) {
    if (Status status = distinct.Add(state); !status.ok()) return status;
  }
  ClusterViewPtr view;
  std::vector<std::pair<const Node*, uint32_t>> nodes;
  {
    const std::scoped_lock lock(turn_.mutex());
    if (Status status = CheckIsNewest(request.feeder(), request.sequence()); !status.ok()) {
      return status;
    }
    if (!Has(request.feeder(), request.base())) {
      need_full_.Increment();
      const auto labels = RelevantLabels();
      response.mutable_need_full()->mutable_labels()->Add(labels.begin(), labels.end());
      return {};
    }
    Apply(request);
    view = state_.View();
    nodes = told_->numbers.Of(*view);
  }
  Demand demand = InterpretPod(*pod).demand;
  return RankNodes(view, nodes, {start, deadline, *std::move(pod), std::move(demand)},
                   *response.mutable_ranking());
}

void PlacementService::Apply(const v1::RankRequest& request) {
  std::vector<NodeState> changed;
  std::vector<NodeName> gone;
  const auto leaves = [&](std::optional<NodeName> node) {
    if (node) gone.push_back(*std::move(node));
  };
  for (const uint32_t number : request.gone()) leaves(told_->numbers.Release(number));
  for (const v1::NodeState& state : request.changed()) {
    const NodeName name(state.node().name());
    leaves(told_->numbers.Assign(state.number(), name));
    if (std::optional<NodeSpec> node = intake_.TakeNode(state.node())) {
      changed.push_back({*std::move(node), TakePods(state, intake_)});
    } else {
      gone.push_back(name);  // as it is now nobody could place a pod there
    }
  }
  told_->sequence = request.sequence();
  state_.Restate(changed, gone);
}

Status PlacementService::RankNodes(const ClusterViewPtr& view,
                                   const std::vector<std::pair<const Node*, uint32_t>>& nodes,
                                   Question question, v1::Ranking& answer) const {
  const Demand& demand = question.demand;
  if (!demand.invalid.empty()) {
    answer.set_invalid(demand.invalid);
    return {};
  }
  std::vector<const Node*> candidates;
  std::vector<uint32_t> numbers;
  RefusalGroups refused(*answer.mutable_refused());
  for (const auto& [node, number] : nodes) {
    const Refusal refusal = CheckBeyondKubeScheduler(*node, demand);
    if (refusal != Refusal::kNone) {
      refused.Add(refusal, number);
      continue;
    }
    candidates.push_back(node);
    numbers.push_back(number);
  }
  DecidedPod pod = DecidedPodOf(std::move(question.pod));
  ServedPolicyPtr policy = policy_.For(pod, candidates);
  Result<Ranking> ranking =
      berth::Rank(*policy->scorer, view, demand, candidates, question.deadline);
  if (!ranking.ok()) return ranking.status();
  answer.mutable_order()->Reserve(static_cast<int>(numbers.size()));
  for (const uint32_t position : ranking->order) answer.add_order(numbers[position]);
  answer.set_feasible(ranking->feasible);
  answer.set_policy(ranking->policy);
  answer.set_policy_version(AnsweredVersion(*policy, *ranking));
  if (decisions_ == nullptr) return {};
  decisions_->Report({.asked = question.asked,
                      .pod = std::move(pod),
                      .demand = std::move(question.demand),
                      .cluster = view,
                      .candidates = std::move(candidates),
                      .refused = static_cast<uint32_t>(nodes.size() - numbers.size()),
                      .served = std::move(policy),
                      .ranking = *std::move(ranking)});
  return {};
}

Status PlacementService::DoWhatIf(const v1::WhatIfRequest& request, v1::WhatIfResponse& response) {
  const Result<Demand> demand = DemandOf(request);
  if (!demand.ok()) return demand.status();
  std::vector<Demand> with;
  for (const v1::PodFacts& proto : request.with()) {
    const PodFacts pod = FromProto(proto);
    if (Status status = CheckLimits(pod); !status.ok()) return status;
    with.push_back(InterpretPod(pod).demand);
  }
  std::vector<PodUid> without;
  for (const std::string& uid : request.without()) without.emplace_back(uid);
  std::optional<Node> node;
  {
    const std::scoped_lock lock(turn_.mutex());
    if (!told_ || told_->feeder != request.feeder() || told_->sequence != request.base()) {
      return absl::FailedPreconditionError("base: the service has another state by now");
    }
    const std::optional<NodeName> name = told_->numbers.NodeOf(request.node());
    if (!name) return absl::InvalidArgumentError("node: is not the number of any node");
    node = state_.WhatIf(*name, without, with);
  }
  if (!node) return {};  // facts that cannot be used: nothing is known against it
  const Refusal refusal = CheckBeyondKubeScheduler(*node, *demand);
  response.set_reason(refusal == Refusal::kInvalidDemand ? demand->invalid
                                                         : std::string(Reason(refusal)));
  response.set_never(IsStatic(refusal));
  return {};
}

}  // namespace berth
