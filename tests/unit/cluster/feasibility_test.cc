#include "cluster/feasibility.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "example_cluster.h"

namespace berth {
namespace {

constexpr Refusal kAll[] = {Refusal::kNone,           Refusal::kInvalidDemand,
                            Refusal::kNoSuchGpus,     Refusal::kModelNotAllowed,
                            Refusal::kTooFewGpus,     Refusal::kNoFreeShare,
                            Refusal::kTooFewFreeGpus, Refusal::kCpu,
                            Refusal::kMemory};

Node NodeWith(
    NodeSpec spec, std::function<void(FreeState&)> use = [](FreeState&) {}) {
  FreeState free = IdleState(spec);
  use(free);
  return {.spec = std::make_shared<const NodeSpec>(std::move(spec)), .free = free, .generation = 1};
}

Demand OnModels(Demand demand, std::vector<std::string> models) {
  demand.models = AllowedModels(std::move(models));
  return demand;
}

struct Case {
  const char* what;
  Node node;
  Demand demand;
  Refusal fit;  // CheckFit
  Refusal beyond_kube_scheduler;
};

Demand Invalid() {
  Demand demand = WholeGpus(99);
  demand.invalid = "cannot be read";
  return demand;
}

std::vector<Case> Cases() {
  const auto managed = GpuNode("m", 4);
  const auto observed = GpuNode("o", 4, GpuAccounting::kObserved);
  const auto half_used = [](FreeState& free) { free.gpus = Milli({500, 500, 500, 500}); };
  const auto no_cpu = [](FreeState& free) { free.cpu = MilliCpu(999); };
  const auto no_memory = [](FreeState& free) { free.memory = MiB(1'023); };
  const auto in_debt = [](FreeState& free) {
    free.cpu = MilliCpu(-1);
    free.memory = MiB(-1);
  };
  NodeSpec cordoned = managed;
  cordoned.cordoned = true;
  constexpr auto kObserved = GpuAccounting::kObserved;
  constexpr auto kNone = Refusal::kNone;
  return {
      {"idle", NodeWith(managed), WholeGpus(4), kNone, kNone},
      {"no GPU asked for", NodeWith(managed), CpuOnly(64'000), kNone, kNone},
      {"node without GPUs, none asked for", NodeWith(GpuNode("c", 0)), CpuOnly(1), kNone, kNone},
      // kube-scheduler may offer a cordoned node to a pod that tolerates it.
      {"cordoned", NodeWith(cordoned), WholeGpus(1), kNone, kNone},
      {"invalid, though other checks would fail too", NodeWith(GpuNode("c", 0)), Invalid(),
       Refusal::kInvalidDemand, Refusal::kInvalidDemand},
      {"node without GPUs", NodeWith(GpuNode("c", 0)), Share(500), Refusal::kNoSuchGpus,
       Refusal::kNoSuchGpus},
      {"observed pod, managed node", NodeWith(managed), WholeGpus(1, kObserved),
       Refusal::kNoSuchGpus, Refusal::kNoSuchGpus},
      {"managed pod, observed node", NodeWith(observed), Share(500), Refusal::kNoSuchGpus,
       Refusal::kNoSuchGpus},
      {"accounting before model", NodeWith(observed), OnModels(Share(500), {"A100"}),
       Refusal::kNoSuchGpus, Refusal::kNoSuchGpus},
      {"one of the models", NodeWith(managed), OnModels(Share(500), {"A100", "T4"}), kNone, kNone},
      {"none of the models", NodeWith(managed), OnModels(Share(500), {"A100"}),
       Refusal::kModelNotAllowed, Refusal::kModelNotAllowed},
      {"model before count", NodeWith(managed), OnModels(WholeGpus(5), {"A100"}),
       Refusal::kModelNotAllowed, Refusal::kModelNotAllowed},
      {"models of a pod without GPUs mean nothing", NodeWith(managed),
       OnModels(CpuOnly(1), {"A100"}), kNone, kNone},
      {"more GPUs than the node has", NodeWith(managed), WholeGpus(5), Refusal::kTooFewGpus,
       Refusal::kTooFewGpus},
      {"more GPUs than an observed node has", NodeWith(observed), WholeGpus(5, kObserved),
       Refusal::kTooFewGpus, Refusal::kTooFewGpus},
      {"count before free", NodeWith(managed, half_used), WholeGpus(5), Refusal::kTooFewGpus,
       Refusal::kTooFewGpus},
      {"share just fits", NodeWith(managed, half_used), Share(500), kNone, kNone},
      {"share spread over GPUs", NodeWith(managed, half_used), Share(501), Refusal::kNoFreeShare,
       Refusal::kNoFreeShare},
      {"whole GPU", NodeWith(managed, half_used), WholeGpus(1), Refusal::kTooFewFreeGpus,
       Refusal::kTooFewFreeGpus},
      {"whole GPUs, one short",
       NodeWith(managed,
                [](FreeState& free) {
                  free.gpus = Milli({1000, 999, 1000, 0});
                }),
       WholeGpus(3), Refusal::kTooFewFreeGpus, Refusal::kTooFewFreeGpus},
      // kube-scheduler counts whole GPUs itself, those of assumed pods included.
      {"observed node is full by our books",
       NodeWith(observed,
                [](FreeState& free) {
                  free.gpus = Milli({0, 0, 0, 0});
                }),
       WholeGpus(1, kObserved), Refusal::kTooFewFreeGpus, kNone},
      {"GPUs before CPU",
       NodeWith(managed,
                [&](FreeState& free) {
                  half_used(free);
                  no_cpu(free);
                }),
       Share(501), Refusal::kNoFreeShare, Refusal::kNoFreeShare},
      {"CPU", NodeWith(managed, no_cpu), Share(500), Refusal::kCpu, kNone},
      {"CPU before memory",
       NodeWith(managed,
                [&](FreeState& free) {
                  no_memory(free);
                  no_cpu(free);
                }),
       Share(500), Refusal::kCpu, kNone},
      {"memory", NodeWith(managed, no_memory), Share(500), Refusal::kMemory, kNone},
      {"CPU of a pod without GPUs", NodeWith(managed, no_cpu), CpuOnly(1'000), Refusal::kCpu,
       kNone},
      {"nothing asked of a node in debt", NodeWith(managed, in_debt), Demand(), kNone, kNone},
  };
}

TEST(Feasibility, ChecksInOrder) {
  for (const Case& c : Cases()) {
    EXPECT_EQ(CheckFit(c.node, c.demand), c.fit) << c.what;
    EXPECT_EQ(CheckBeyondKubeScheduler(c.node, c.demand), c.beyond_kube_scheduler) << c.what;
  }
}

TEST(Feasibility, EveryRefusalHasACase) {
  std::set<Refusal> seen;
  for (const Case& c : Cases()) seen.insert(c.fit);
  for (const Refusal refusal : kAll) EXPECT_TRUE(seen.contains(refusal)) << Reason(refusal);
}

// Shown before the never-refusals are told to kube-scheduler as unresolvable by preemption: what
// does not fit a node that nobody uses is refused for a static reason, or for CPU or memory.
TEST(Feasibility, StaticRefusalsAreThoseOfAnIdleNode) {
  for (const Case& c : Cases()) {
    const Node idle = NodeWith(*c.node.spec);
    const Refusal refusal = CheckFit(c.node, c.demand);
    if (IsStatic(refusal)) {
      EXPECT_EQ(CheckFit(idle, c.demand), refusal) << c.what;
    } else {
      EXPECT_EQ(CheckFit(idle, c.demand), Refusal::kNone) << c.what;
    }
  }
}

TEST(Feasibility, ReasonsAreShortDistinctSentences) {
  EXPECT_EQ(Reason(Refusal::kNone), "");
  EXPECT_EQ(Reason(Refusal::kNoFreeShare), "no single GPU has the free share asked for");
  std::set<std::string_view> reasons;
  for (const Refusal refusal : kAll) {
    EXPECT_TRUE(reasons.insert(Reason(refusal)).second) << Reason(refusal);
    EXPECT_EQ(Reason(refusal).find_first_of("0123456789\n"), std::string_view::npos);
    EXPECT_LT(Reason(refusal).size(), 80u);
  }
}

}  // namespace
}  // namespace berth
