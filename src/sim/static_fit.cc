#include "sim/static_fit.h"

#include <map>
#include <tuple>

#include "cluster/feasibility.h"

namespace berth {

StaticFit::StaticFit(std::span<const Node> nodes, std::span<const Demand> demands) {
  using Kind = std::tuple<int, GpuAccounting, GpuModel>;
  std::map<Kind, uint32_t> numbers;
  std::vector<const NodeSpec*> examples;  // of each kind
  for (const Node& node : nodes) {
    const NodeSpec& spec = *node.spec;
    const auto [entry, is_new] =
        numbers.try_emplace(Kind(spec.gpus, spec.accounting, spec.model), examples.size());
    if (is_new) examples.push_back(&spec);
    kind_of_node_.push_back(entry->second);
  }
  kinds_ = examples.size();
  for (const Demand& demand : demands) {
    for (const NodeSpec* spec : examples) {
      holds_.push_back(CheckStatic(*spec, demand) == Refusal::kNone ? 1 : 0);
    }
  }
}

}  // namespace berth
