#include "policy/feature_columns.h"

#include "cluster/mix_numbers.h"
#include "cluster/state_tables.h"
#include "policy/pod_kind.h"

namespace berth {
namespace {

double Gpus(MilliGpu gpu) { return static_cast<double>(gpu.value()) / 1000; }
double Cores(MilliCpu cpu) { return static_cast<double>(cpu.value()) / 1000; }
double GiB(MiB memory) { return static_cast<double>(memory.value()) / 1024; }

template <PodKind kKind>
double Is(const Placement& p) {
  return KindOfPod(p.demand) == kKind ? 1 : 0;
}

constexpr PlacementColumn kPlacement[] = {
    {{"pod_cpu", "cores", "CPU that the pod asks for"},
     [](const Placement& p) { return Cores(p.demand.cpu); }},
    {{"pod_memory", "GiB", "memory that the pod asks for"},
     [](const Placement& p) { return GiB(p.demand.memory); }},
    {{"pod_gpus", "GPUs", "number of GPUs that the pod asks for"},
     [](const Placement& p) { return static_cast<double>(p.demand.gpus); }},
    {{"pod_gpu", "GPUs", "GPU that the pod asks for in total; 0.3 for a share of 300 milli"},
     [](const Placement& p) { return Gpus(p.demand.TotalGpu()); }},
    {{"node_cpu", "cores", "allocatable CPU of the node"},
     [](const Placement& p) { return Cores(p.node.spec->cpu); }},
    {{"node_gpus", "GPUs", "GPUs of the node"},
     [](const Placement& p) { return static_cast<double>(p.node.spec->gpus); }},
    {{"node_empty", "0 or 1", "1 when nothing on the node is in use before"},
     [](const Placement& p) { return p.node.free == IdleState(*p.node.spec) ? 1.0 : 0.0; }},
    {{"memory_free_after", "GiB", "free memory after"},
     [](const Placement& p) { return GiB(p.after.memory); }},
    {{"is_no_gpu", "0 or 1", "1 when the pod asks for no GPU"}, Is<PodKind::kNoGpu>},
    {{"is_small_share", "0 or 1", "1 when it asks for less than half a GPU"},
     Is<PodKind::kSmallShare>},
    {{"is_large_share", "0 or 1", "1 when it asks for a larger share of a GPU"},
     Is<PodKind::kLargeShare>},
    {{"is_one_gpu", "0 or 1", "1 when it asks for one whole GPU"}, Is<PodKind::kOneGpu>},
    {{"is_several_gpus", "0 or 1", "1 when it asks for more than one"}, Is<PodKind::kSeveralGpus>},
};

template <MixNumber kNumber>
double NumberOf(const ClusterContext&, const WorkloadProfile& mix) {
  return mix.state_tables()->numbers[static_cast<size_t>(kNumber)];
}

FeatureColumn AboutMix(MixNumber number) { return MixNumberTable()[static_cast<size_t>(number)]; }

const ContextColumn kContext[] = {
    {{"gpu_load", "share", "allocated share of all GPUs, in sixteenths"},
     [](const ClusterContext& c, const WorkloadProfile&) { return c.gpu_load_bucket / 16.0; }},
    {{"regime", "0 or 1", "0: pods only arrive; 1: pods also leave"},
     [](const ClusterContext&, const WorkloadProfile& mix) {
       return mix.pods_leave() ? 1.0 : 0.0;
     }},
    {AboutMix(MixNumber::kConstrained), NumberOf<MixNumber::kConstrained>},
    {AboutMix(MixNumber::kShares), NumberOf<MixNumber::kShares>},
    {AboutMix(MixNumber::kSeveralGpus), NumberOf<MixNumber::kSeveralGpus>},
    {AboutMix(MixNumber::kCpuPressure), NumberOf<MixNumber::kCpuPressure>},
};

}  // namespace

std::span<const PlacementColumn> PlacementTable() { return kPlacement; }
std::span<const ContextColumn> ContextTable() { return kContext; }

}  // namespace berth
