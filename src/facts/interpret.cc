#include "facts/interpret.h"

#include <algorithm>
#include <charconv>
#include <limits>
#include <optional>
#include <utility>
#include <vector>

#include "base/log.h"
#include "facts/duration.h"

namespace berth {
namespace {

constexpr int64_t kBytesPerMiB = int64_t{1} << 20;
constexpr std::string_view kBlanks = " \t\r\n";

// More than any cluster has, and a billion of them still add up within int64.
constexpr int64_t kMostMilliCpu = 1'000'000'000'000;

int64_t Amount(const ResourceFacts& resources, std::string_view name) {
  const auto found = resources.find(std::string(name));
  return found == resources.end() ? 0 : found->second;
}

std::string Text(const std::map<std::string, std::string>& texts, std::string_view key) {
  const auto found = texts.find(std::string(key));
  return found == texts.end() ? "" : found->second;
}

std::string_view Trim(std::string_view text) {
  const size_t first = std::min(text.find_first_not_of(kBlanks), text.size());
  text.remove_prefix(first);
  return text.substr(0, text.find_last_not_of(kBlanks) + 1);
}

MiB ParseGpuMemory(std::string_view label) {
  int64_t mib = 0;
  const auto [end, error] = std::from_chars(label.begin(), label.end(), mib);
  const bool sound = error == std::errc() && end == label.end() && mib > 0;
  return MiB(sound ? mib : 0);
}

// Collects what is wrong with a pod's demand; each problem is said once, none hides another.
class Problems {
 public:
  void Add(const std::string& problem) {
    if (!text_.empty()) text_ += "; ";
    text_ += problem;
  }
  std::string Take() { return std::move(text_); }

 private:
  std::string text_;
};

int64_t Requested(const PodFacts& facts, std::string_view resource, Problems& problems) {
  const int64_t amount = Amount(facts.requests, resource);
  if (amount >= 0) return amount;
  problems.Add(std::string(resource) + ": " + std::to_string(amount) +
               " is negative; a request is at least 0");
  return 0;
}

void AskForWholeGpus(int64_t count, GpuAccounting accounting, Demand& demand) {
  demand.gpus = static_cast<int>(std::min<int64_t>(count, std::numeric_limits<int>::max()));
  demand.per_gpu = kWholeGpu;
  demand.accounting = accounting;
}

void AskForMilliGpus(int64_t milli, Demand& demand, Problems& problems) {
  if (milli <= kWholeGpu.value()) {
    demand.gpus = 1;
    demand.per_gpu = MilliGpu(milli);
    demand.accounting = GpuAccounting::kManaged;
  } else if (milli % kWholeGpu.value() == 0) {
    AskForWholeGpus(milli / kWholeGpu.value(), GpuAccounting::kManaged, demand);
  } else {
    problems.Add(std::string(kGpuMilliResource) + ": " + std::to_string(milli) +
                 " is neither a share of one GPU (1 to 1000) nor whole GPUs (a multiple of 1000)");
  }
}

void ReadGpus(const PodFacts& facts, Demand& demand, Problems& problems) {
  const int64_t whole = Requested(facts, kGpuResource, problems);
  const int64_t milli = Requested(facts, kGpuMilliResource, problems);
  if (whole > 0 && milli > 0) {
    problems.Add("both " + std::string(kGpuResource) + " and " + std::string(kGpuMilliResource) +
                 " are requested; a node offers one of them, so request only one");
  } else if (whole > 0) {
    AskForWholeGpus(whole, GpuAccounting::kObserved, demand);
  } else if (milli > 0) {
    AskForMilliGpus(milli, demand, problems);
  }
}

// nullopt when an alternative holds no word at all: it would match nothing, or everything.
std::optional<std::vector<std::string>> SplitModels(std::string_view text) {
  std::vector<std::string> models;
  while (true) {
    const size_t bar = text.find('|');
    const std::string_view model = Trim(text.substr(0, bar));
    if (model.find_first_not_of("-_ ") == std::string_view::npos) return std::nullopt;
    models.emplace_back(model);
    if (bar == std::string_view::npos) return models;
    text.remove_prefix(bar + 1);
  }
}

void ReadModels(const PodFacts& facts, Demand& demand, Problems& problems) {
  const auto found = facts.annotations.find(std::string(kGpuModelAnnotation));
  if (found == facts.annotations.end() || demand.gpus == 0) return;
  std::optional<std::vector<std::string>> models = SplitModels(found->second);
  if (models) {
    demand.models = AllowedModels(*std::move(models));
  } else {
    problems.Add(std::string(kGpuModelAnnotation) + ": " + Quoted(found->second) +
                 " has an empty alternative; write models such as \"A100|H100\", or leave it out");
  }
}

// nullopt: the pod does not say.
std::optional<Result<Seconds>> ReadExpectedDuration(const PodFacts& facts) {
  const auto found = facts.annotations.find(std::string(kExpectedDurationAnnotation));
  if (found == facts.annotations.end()) return std::nullopt;
  return ParseDuration(Trim(found->second));
}

Demand ReadDemand(const PodFacts& facts) {
  Demand demand;
  Problems problems;
  if (!facts.unreadable.empty()) problems.Add(facts.unreadable);
  demand.cpu = MilliCpu(std::min(Requested(facts, "cpu", problems), kMostMilliCpu));
  const int64_t bytes = Requested(facts, "memory", problems);
  demand.memory = MiB(bytes / kBytesPerMiB + (bytes % kBytesPerMiB > 0 ? 1 : 0));
  ReadGpus(facts, demand, problems);
  ReadModels(facts, demand, problems);
  demand.invalid = problems.Take();
  return demand;
}

}  // namespace

std::span<const std::string_view> RelevantLabels() {
  static constexpr std::string_view kLabels[] = {kGpuProductLabel, kGpuMemoryLabel, kZoneLabel,
                                                 kPoolLabel};
  return kLabels;
}

bool IsRelevantLabel(std::string_view key) {
  return std::ranges::find(RelevantLabels(), key) != RelevantLabels().end();
}

bool IsRelevantAnnotation(std::string_view key) { return key.starts_with("berth.dev/"); }

NodeSpec InterpretNode(const NodeFacts& facts) {
  const int64_t whole = Amount(facts.allocatable, kGpuResource);
  const int64_t milli = Amount(facts.allocatable, kGpuMilliResource);
  const bool managed = milli > 0;
  // A part of a GPU at the end (1500 of 2000) belongs to no device that Berth could name.
  const int64_t gpus =
      std::clamp<int64_t>(managed ? milli / kWholeGpu.value() : whole, 0, kMaxGpusPerNode);
  NodeSpec spec;
  spec.name = NodeName(facts.name);
  spec.cpu = MilliCpu(std::clamp<int64_t>(Amount(facts.allocatable, "cpu"), 0, kMostMilliCpu));
  spec.memory = MiB(std::max<int64_t>(Amount(facts.allocatable, "memory"), 0) / kBytesPerMiB);
  spec.gpus = static_cast<int>(gpus);
  if (gpus > 0) {
    spec.accounting = managed ? GpuAccounting::kManaged : GpuAccounting::kObserved;
    spec.model = GpuModel(Text(facts.labels, kGpuProductLabel));
    spec.gpu_memory = ParseGpuMemory(Text(facts.labels, kGpuMemoryLabel));
  }
  spec.zone = Text(facts.labels, kZoneLabel);
  spec.pool = Text(facts.labels, kPoolLabel);
  spec.cordoned = facts.unschedulable || !facts.ready;
  return spec;
}

Pod InterpretPod(const PodFacts& facts) {
  Pod pod;
  pod.uid = PodUid(facts.uid);
  pod.name = facts.namespace_name + "/" + facts.name;
  pod.demand = ReadDemand(facts);
  if (!facts.node_name.empty()) pod.node = NodeName(facts.node_name);
  pod.priority = facts.priority;
  const std::optional<Result<Seconds>> duration = ReadExpectedDuration(facts);
  if (duration && duration->ok()) pod.expected_duration = **duration;
  return pod;
}

std::string IgnoredWish(const PodFacts& facts) {
  const std::optional<Result<Seconds>> duration = ReadExpectedDuration(facts);
  if (!duration || duration->ok()) return "";
  return std::string(kExpectedDurationAnnotation) + ": " +
         std::string(duration->status().message());
}

}  // namespace berth
