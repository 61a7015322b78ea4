#include "policy/feature_columns.h"

#include <algorithm>

#include "cluster/fragmentation.h"

namespace berth {
namespace {

double Gpus(MilliGpu gpu) { return static_cast<double>(gpu.value()) / 1000; }
double Cores(MilliCpu cpu) { return static_cast<double>(cpu.value()) / 1000; }
double GiB(MiB memory) { return static_cast<double>(memory.value()) / 1024; }

bool IsPartial(MilliGpu free) { return free > MilliGpu(0) && free < kWholeGpu; }

double PartialGpus(const FreeState& state) {
  return static_cast<double>(std::count_if(state.gpus.begin(), state.gpus.end(), IsPartial));
}

double LargestPartial(const FreeState& state) {
  MilliGpu largest(0);
  for (MilliGpu free : state.gpus) {
    if (IsPartial(free)) largest = std::max(largest, free);
  }
  return Gpus(largest);
}

double FragmentedGpus(const Node& node, const FreeState& state, const WorkloadProfile& profile) {
  return Fragmentation(node.spec->model, state, profile) / 1000;
}

// How many GPUs the free CPU can feed at what the workload asks for per GPU; without a profile
// that says so, as many as there are.
double FedGpus(const Placement& p) {
  const double per_gpu = Cores(p.profile.CpuPerGpu());
  return per_gpu > 0 ? Cores(p.after.cpu) / per_gpu : Gpus(p.after.TotalGpu());
}

constexpr bool kNode = false, kGpus = true;

constexpr PlacementColumn kPlacement[] = {
    {{"pod_cpu", "cores", "CPU that the pod asks for"},
     kNode,
     [](const Placement& p) { return Cores(p.demand.cpu); }},
    {{"pod_memory", "GiB", "memory that the pod asks for"},
     kNode,
     [](const Placement& p) { return GiB(p.demand.memory); }},
    {{"pod_gpus", "GPUs", "number of GPUs that the pod asks for"},
     kNode,
     [](const Placement& p) { return static_cast<double>(p.demand.gpus); }},
    {{"pod_gpu", "GPUs", "GPU that the pod asks for in total; 0.3 for a share of 300 milli"},
     kNode,
     [](const Placement& p) { return Gpus(p.demand.TotalGpu()); }},
    {{"node_cpu", "cores", "allocatable CPU of the node"},
     kNode,
     [](const Placement& p) { return Cores(p.node.spec->cpu); }},
    {{"node_gpus", "GPUs", "GPUs of the node"},
     kNode,
     [](const Placement& p) { return static_cast<double>(p.node.spec->gpus); }},
    {{"node_empty", "0 or 1", "1 when nothing on the node is in use before"},
     kNode,
     [](const Placement& p) { return p.node.free == IdleState(*p.node.spec) ? 1.0 : 0.0; }},
    {{"cpu_free_before", "cores", "free CPU before"},
     kNode,
     [](const Placement& p) { return Cores(p.node.free.cpu); }},
    {{"cpu_free_after", "cores", "free CPU after"},
     kNode,
     [](const Placement& p) { return Cores(p.after.cpu); }},
    {{"memory_free_after", "GiB", "free memory after"},
     kNode,
     [](const Placement& p) { return GiB(p.after.memory); }},
    {{"gpu_free_before", "GPUs", "free GPU before, shares included"},
     kNode,
     [](const Placement& p) { return Gpus(p.node.free.TotalGpu()); }},
    {{"gpu_free_after", "GPUs", "free GPU after, shares included"},
     kNode,
     [](const Placement& p) { return Gpus(p.after.TotalGpu()); }},
    {{"whole_gpus_after", "GPUs", "GPUs that nobody uses after"},
     kGpus,
     [](const Placement& p) { return static_cast<double>(p.after.WholeGpus()); }},
    {{"partial_gpus_after", "GPUs", "GPUs in use with a share still free after"},
     kGpus,
     [](const Placement& p) { return PartialGpus(p.after); }},
    {{"largest_partial_after", "GPUs", "largest free share of a GPU in use after"},
     kGpus,
     [](const Placement& p) { return LargestPartial(p.after); }},
    {{"fragmentation_before", "GPUs", "expected free GPU that a typical pod cannot use, before"},
     kNode,
     [](const Placement& p) { return FragmentedGpus(p.node, p.node.free, p.profile); }},
    {{"fragmentation_after", "GPUs", "expected free GPU that a typical pod cannot use, after"},
     kGpus,
     [](const Placement& p) { return FragmentedGpus(p.node, p.after, p.profile); }},
    {{"gpu_starved_after", "GPUs", "free GPU beyond what the free CPU can feed in this workload"},
     kNode,
     [](const Placement& p) { return std::max(0.0, Gpus(p.after.TotalGpu()) - FedGpus(p)); }},
};

constexpr ContextColumn kContext[] = {
    {{"gpu_load", "share", "allocated share of all GPUs, in sixteenths"},
     [](const ClusterContext& c) { return c.gpu_load_bucket / 16.0; }},
    {{"regime", "0 or 1", "0: pods only arrive; 1: pods also leave"},
     [](const ClusterContext& c) { return static_cast<double>(c.regime); }},
};

}  // namespace

std::span<const PlacementColumn> PlacementTable() { return kPlacement; }
std::span<const ContextColumn> ContextTable() { return kContext; }

}  // namespace berth
