// Facts as a feed may carry them, with any number and any text -> nodes and demands. Whatever they
// say, what comes out keeps the model's promises, so that books and policies can build on them.

#include <fuzzer/FuzzedDataProvider.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "cluster/feasibility.h"
#include "facts/interpret.h"
#include "property.h"

namespace berth {
namespace {

constexpr std::array kResources = {"cpu", "memory", "nvidia.com/gpu", "berth.dev/gpu-milli"};
constexpr std::array kLabels = {"nvidia.com/gpu.product", "nvidia.com/gpu.memory",
                                "topology.kubernetes.io/zone"};
constexpr std::array kAnnotations = {"berth.dev/gpu-model", "berth.dev/expected-duration"};

class Facts {
 public:
  explicit Facts(FuzzedDataProvider& input) : input_(input) {}

  NodeFacts Node() {
    return {.name = Text(),
            .allocatable = Amounts(),
            .labels = Texts(kLabels),
            .annotations = Texts(kAnnotations),
            .ready = input_.ConsumeBool(),
            .unschedulable = input_.ConsumeBool()};
  }

  PodFacts Pod() {
    return {.uid = Text(),
            .namespace_name = Text(),
            .name = Text(),
            .requests = Amounts(),
            .annotations = Texts(kAnnotations),
            .priority = input_.ConsumeIntegral<int32_t>(),
            .owner = Text(),
            .node_name = Text(),
            .unreadable = Text()};
  }

 private:
  std::string Text() { return input_.ConsumeRandomLengthString(64); }

  ResourceFacts Amounts() {
    ResourceFacts amounts;
    for (const char* resource : kResources) {
      if (!input_.ConsumeBool()) continue;
      const bool small = input_.ConsumeBool();
      amounts[resource] = small ? input_.ConsumeIntegralInRange<int64_t>(0, 10'000)
                                : input_.ConsumeIntegral<int64_t>();
    }
    return amounts;
  }

  template <size_t kSize>
  std::map<std::string, std::string> Texts(const std::array<const char*, kSize>& keys) {
    std::map<std::string, std::string> texts;
    for (const char* key : keys) {
      if (input_.ConsumeBool()) texts[key] = Text();
    }
    return texts;
  }

  FuzzedDataProvider& input_;
};

void CheckNode(const NodeSpec& spec) {
  BERTH_CHECK(spec.cpu >= MilliCpu(0) && spec.memory >= MiB(0), "room is at least 0");
  BERTH_CHECK(spec.gpus >= 0 && spec.gpus <= kMaxGpusPerNode, "GPUs have an index");
  BERTH_CHECK((spec.gpus == 0) == (spec.accounting == GpuAccounting::kNone), "one accounting");
  BERTH_CHECK(spec.gpu_memory >= MiB(0), "memory is at least 0");
}

void CheckDemand(const Demand& demand) {
  BERTH_CHECK(demand.cpu >= MilliCpu(0) && demand.memory >= MiB(0), "demand is at least 0");
  BERTH_CHECK(demand.gpus >= 0, "demand is at least 0");
  BERTH_CHECK((demand.gpus == 0) == (demand.accounting == GpuAccounting::kNone), "one accounting");
  BERTH_CHECK((demand.gpus == 0) == (demand.per_gpu == MilliGpu(0)), "a share of each GPU");
  BERTH_CHECK(demand.per_gpu <= kWholeGpu, "no more than a whole GPU");
  BERTH_CHECK(demand.per_gpu == kWholeGpu || demand.gpus <= 1, "only one GPU is shared");
  BERTH_CHECK(!demand.IsShare() || demand.accounting == GpuAccounting::kManaged,
              "shares are handed out by Berth");
}

void Check(FuzzedDataProvider& input) {
  Facts facts(input);
  const NodeSpec spec = InterpretNode(facts.Node());
  CheckNode(spec);
  const PodFacts pod_facts = facts.Pod();
  const Pod pod = InterpretPod(pod_facts);
  CheckDemand(pod.demand);
  BERTH_CHECK(pod == InterpretPod(pod_facts), "the same facts mean the same");
  BERTH_CHECK(!pod.expected_duration || pod.expected_duration->value() >= 1, "a second at least");
  BERTH_CHECK(!pod.expected_duration || IgnoredWish(pod_facts).empty(), "granted or passed over");

  const Node node{.spec = std::make_shared<const NodeSpec>(spec), .free = IdleState(spec)};
  const Refusal by_books = CheckFit(node, pod.demand);
  if (!pod.demand.invalid.empty()) {
    BERTH_CHECK(by_books == Refusal::kInvalidDemand, "what is not sound fits nowhere");
  }
  if (by_books == Refusal::kNone) {
    BERTH_CHECK(CheckBeyondKubeScheduler(node, pod.demand) == Refusal::kNone,
                "what fits is not refused");
  }
}

}  // namespace
}  // namespace berth

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzedDataProvider input(data, size);
  berth::Check(input);
  return 0;
}
