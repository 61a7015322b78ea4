#include "cluster/oddity_log.h"

#include <array>

namespace berth {
namespace {

struct Description {
  Oddity oddity;
  std::string_view kind;
  std::string_view message;
};

constexpr std::array<Description, 10> kDescriptions = {{
    {Oddity::kPodParked, "pod_parked", "pod is bound to a node not yet known"},
    {Oddity::kPodMoved, "pod_moved", "pod is bound to another node than before"},
    {Oddity::kPodUnbound, "pod_unbound", "pod was bound and is pending again"},
    {Oddity::kPodAfterGone, "pod_after_gone", "pod was stated after it was gone; ignored"},
    {Oddity::kPodInvalid, "pod_invalid", "pod is bound although its demand is invalid"},
    {Oddity::kPodOvercommitted, "pod_overcommitted", "pod is bound where its GPUs are not free"},
    {Oddity::kNodeGoneWithPods, "node_gone_with_pods", "node is gone while pods are bound to it"},
    {Oddity::kNodeReshaped, "node_reshaped", "node's GPUs changed under its pods"},
    {Oddity::kNodeOutOfRange, "node_out_of_range", "node states a quantity out of range"},
    {Oddity::kGpuChoiceImpossible, "gpu_choice_impossible",
     "policy chose GPUs that the pod cannot have; best fit decided"},
}};

const Description& Describe(Oddity oddity) { return kDescriptions[static_cast<size_t>(oddity)]; }

// More than these are forgotten at once, so that memory is bounded; then a line may come again.
constexpr size_t kRememberedLines = 10'000;

}  // namespace

OddityLog::OddityLog(Metrics& metrics, Logger& log) : log_(log) {
  for (const Description& description : kDescriptions) {
    counters_[description.oddity] = &metrics.AddCounter(
        "berth_cluster_oddities_total", "Events that look wrong but that the books live with.",
        {{"kind", std::string(description.kind)}});
  }
}

void OddityLog::Record(Oddity oddity, std::string_view object, std::string_view detail) {
  counters_.at(oddity)->Increment();
  const std::lock_guard lock(mutex_);
  if (logged_.size() >= kRememberedLines) logged_.clear();
  if (!logged_.emplace(oddity, object).second) return;
  log_.warn("msg={} kind={} object={} detail={}", Quoted(Describe(oddity).message),
            Describe(oddity).kind, Quoted(object), Quoted(detail));
}

}  // namespace berth
