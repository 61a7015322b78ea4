#include "rpc/convert.h"

#include <map>

namespace berth {
namespace {

template <class Value>
std::map<std::string, Value> FromMap(const google::protobuf::Map<std::string, Value>& proto) {
  std::map<std::string, Value> map;
  for (const auto& [key, value] : proto) map.emplace(key, value);
  return map;
}

template <class Value>
void ToMap(const std::map<std::string, Value>& map,
           google::protobuf::Map<std::string, Value>& proto) {
  for (const auto& [key, value] : map) proto[key] = value;
}

Demand FromProto(const v1::Demand& proto) {
  return {.cpu = MilliCpu(proto.cpu_milli()),
          .memory = MiB(proto.memory_mib()),
          .gpus = static_cast<int>(proto.gpus()),
          .per_gpu = MilliGpu(proto.milli_per_gpu()),
          .accounting = static_cast<GpuAccounting>(proto.accounting()),
          .models = AllowedModels({proto.models().begin(), proto.models().end()}),
          .invalid = proto.invalid()};
}

void ToProto(const Demand& demand, v1::Demand& proto) {
  proto.set_cpu_milli(demand.cpu.value());
  proto.set_memory_mib(demand.memory.value());
  proto.set_gpus(demand.gpus);
  proto.set_milli_per_gpu(demand.per_gpu.value());
  proto.set_accounting(static_cast<v1::GpuAccounting>(demand.accounting));
  const auto& models = demand.models.alternatives();
  proto.mutable_models()->Add(models.begin(), models.end());
  proto.set_invalid(demand.invalid);
}

static_assert(static_cast<int>(GpuAccounting::kNone) == v1::GPU_ACCOUNTING_NONE);
static_assert(static_cast<int>(GpuAccounting::kObserved) == v1::GPU_ACCOUNTING_OBSERVED);
static_assert(static_cast<int>(GpuAccounting::kManaged) == v1::GPU_ACCOUNTING_MANAGED);

NodeVerdict FromProto(const v1::NodeVerdict& proto) {
  NodeVerdict verdict{.node = NodeName(proto.node()),
                      .known = proto.known(),
                      .feasible = proto.feasible(),
                      .cordoned = proto.cordoned(),
                      .reason = proto.reason(),
                      .score = proto.score(),
                      .gpus = GpuSet(proto.gpus().begin(), proto.gpus().end()),
                      .free = {.cpu = MilliCpu(proto.free_cpu_milli()),
                               .memory = MiB(proto.free_memory_mib()),
                               .gpus = {}},
                      .model = GpuModel(proto.model())};
  for (const int64_t milli : proto.free_gpu_milli()) verdict.free.gpus.emplace_back(milli);
  return verdict;
}

void ToProto(const NodeVerdict& verdict, v1::NodeVerdict& proto) {
  proto.set_node(verdict.node.value());
  proto.set_known(verdict.known);
  proto.set_feasible(verdict.feasible);
  proto.set_cordoned(verdict.cordoned);
  proto.set_reason(verdict.reason);
  proto.set_score(verdict.score);
  proto.mutable_gpus()->Add(verdict.gpus.begin(), verdict.gpus.end());
  proto.set_free_cpu_milli(verdict.free.cpu.value());
  proto.set_free_memory_mib(verdict.free.memory.value());
  for (const MilliGpu milli : verdict.free.gpus) proto.add_free_gpu_milli(milli.value());
  proto.set_model(verdict.model.value());
}

}  // namespace

NodeFacts FromProto(const v1::NodeFacts& proto) {
  return {.name = proto.name(),
          .allocatable = FromMap(proto.allocatable()),
          .labels = FromMap(proto.labels()),
          .annotations = FromMap(proto.annotations()),
          .ready = !proto.not_ready(),
          .unschedulable = proto.unschedulable()};
}

PodFacts FromProto(const v1::PodFacts& proto) {
  return {.uid = proto.uid(),
          .namespace_name = proto.namespace_(),
          .name = proto.name(),
          .requests = FromMap(proto.requests()),
          .annotations = FromMap(proto.annotations()),
          .priority = proto.priority(),
          .owner = proto.owner(),
          .node_name = proto.node_name(),
          .unreadable = proto.unreadable()};
}

v1::NodeFacts ToProto(const NodeFacts& facts) {
  v1::NodeFacts proto;
  proto.set_name(facts.name);
  ToMap(facts.allocatable, *proto.mutable_allocatable());
  ToMap(facts.labels, *proto.mutable_labels());
  ToMap(facts.annotations, *proto.mutable_annotations());
  proto.set_not_ready(!facts.ready);
  proto.set_unschedulable(facts.unschedulable);
  return proto;
}

v1::PodFacts ToProto(const PodFacts& facts) {
  v1::PodFacts proto;
  proto.set_uid(facts.uid);
  proto.set_namespace_(facts.namespace_name);
  proto.set_name(facts.name);
  ToMap(facts.requests, *proto.mutable_requests());
  ToMap(facts.annotations, *proto.mutable_annotations());
  proto.set_priority(facts.priority);
  proto.set_owner(facts.owner);
  proto.set_node_name(facts.node_name);
  proto.set_unreadable(facts.unreadable);
  return proto;
}

Explanation FromProto(const v1::ExplainResponse& proto) {
  Explanation explanation{.demand = FromProto(proto.demand()),
                          .nodes = {},
                          .policy = proto.policy(),
                          .cluster_version = proto.cluster_version(),
                          .ignored_wish = proto.ignored_wish()};
  explanation.nodes.reserve(proto.nodes_size());
  for (const v1::NodeVerdict& verdict : proto.nodes()) {
    explanation.nodes.push_back(FromProto(verdict));
  }
  return explanation;
}

v1::ExplainResponse ToProto(const Explanation& explanation) {
  v1::ExplainResponse proto;
  ToProto(explanation.demand, *proto.mutable_demand());
  for (const NodeVerdict& verdict : explanation.nodes) ToProto(verdict, *proto.add_nodes());
  proto.set_policy(explanation.policy);
  proto.set_cluster_version(explanation.cluster_version);
  proto.set_ignored_wish(explanation.ignored_wish);
  return proto;
}

}  // namespace berth
