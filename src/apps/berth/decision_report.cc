#include "apps/berth/decision_report.h"

#include <fmt/chrono.h>
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <nlohmann/json.hpp>
#include <utility>

#include "apps/berth/resource_text.h"

namespace berth {
namespace {

std::string GpusText(double milli) { return fmt::format("{:+.3f} GPUs", milli / 1000.0); }

std::string Count(int64_t count, std::string_view word, std::string_view words) {
  return fmt::format("{} {}", count, count == 1 ? word : words);
}

std::string NodeText(const CandidateClass& candidates, const GpuSet& gpus) {
  std::string text = candidates.example.name().value();
  if (!gpus.empty()) {
    text += fmt::format(", GPU{} {}", gpus.size() == 1 ? "" : "s", fmt::join(gpus, ","));
  }
  if (candidates.nodes > 1) {
    text += fmt::format(" (one of {} equal nodes)", candidates.nodes);
  }
  return text;
}

// With its version, where a policy file answered.
std::string AnsweredText(const DecisionRecord& record) {
  const bool file = record.guard.empty() && !record.version.empty();
  return file ? fmt::format("{} {}", record.policy, record.version) : record.policy;
}

std::string HeadText(const PodDecisions& decisions) {
  const DecisionRecord& record = decisions.last;
  const DecidedPod& pod = record.pod;
  std::string text =
      fmt::format("pod {}/{} (UID {}{}{}) asks for {}\n", pod.namespace_name, pod.name, pod.uid,
                  pod.owner.empty() ? "" : ", of ", pod.owner, DemandText(record.demand));
  text += fmt::format("decided {}", DateText(record.time));
  if (!record.policy.empty()) text += fmt::format(" by {}", AnsweredText(record));
  if (!record.guard.empty()) text += fmt::format(", because {}", record.guard);
  text += fmt::format(", in {:.2f} ms: request {}",
                      std::chrono::duration<double, std::milli>(record.latency).count(),
                      record.request);
  if (decisions.count > 1) {
    text += fmt::format(", the last of {} about this pod in the log", decisions.count);
  }
  return text + "\n\n";
}

std::string ChoiceText(const DecisionRecord& record, const ExplainedDecision& explained) {
  const CandidateClass& choice = record.classes.front();
  const Node& node = choice.example;
  std::string text = fmt::format("node       {}\n", NodeText(choice, record.gpus));
  text += fmt::format("before     {}\n", FreeText(node.free, node.spec->model));
  text +=
      fmt::format("after      {}; fragmentation {}\n", FreeText(explained.after, node.spec->model),
                  GpusText(explained.choice.added_fragmentation));
  text += fmt::format(
      "why        scored {:.3f}, the best of {} that could take the pod, of {} looked at\n",
      choice.score, Count(record.feasible, "node", "nodes"), record.nodes);
  return text;
}

std::string RunnerUpText(const DecisionRecord& record, const ExplainedDecision& explained) {
  if (!explained.runner_up) return "runner-up  none: no other kind of node could take the pod\n";
  const CandidateClass& second = record.classes[1];
  std::string text = fmt::format(
      "runner-up  {}\n           {}; fragmentation {}\n           scored {:.3f}, {:.3f} less\n",
      NodeText(second, {}), FreeText(second.example.free, second.example.spec->model),
      GpusText(explained.runner_up->added_fragmentation), second.score,
      record.classes[0].score - second.score);
  for (size_t i = 0; i < explained.runner_up->lacking.size(); ++i) {
    text += fmt::format("{:<11}{}\n", i == 0 ? "it lacked" : "", explained.runner_up->lacking[i]);
  }
  return text;
}

std::string HeuristicText(const DecisionRecord& record, const ExplainedDecision& explained,
                          std::string_view heuristic) {
  const PlacedChoice& other = explained.heuristic;
  if (other.in_class == 0 && other.gpus == record.gpus) {
    return fmt::format("\n{} would have chosen the same\n", heuristic);
  }
  const double more = other.added_fragmentation - explained.choice.added_fragmentation;
  return fmt::format("\n{} would have chosen {}; fragmentation {}: {:.3f} {}\n", heuristic,
                     NodeText(record.classes[other.in_class], other.gpus),
                     GpusText(other.added_fragmentation), std::abs(more) / 1000,
                     more > 0 ? "more" : "less");
}

std::string LeftOutText(const DecisionRecord& record) {
  if (record.more_classes == 0) return "";
  return fmt::format(
      "The log has the best {} of {} kinds of nodes; nothing is known of the rest.\n",
      record.classes.size(), static_cast<int64_t>(record.classes.size()) + record.more_classes);
}

nlohmann::json GpuIndices(const GpuSet& gpus) { return std::vector<int>(gpus.begin(), gpus.end()); }

nlohmann::json FreeJson(const FreeState& free) {
  nlohmann::json gpus = nlohmann::json::array();
  for (const MilliGpu milli : free.gpus) gpus.push_back(milli.value());
  return {{"cpuMilli", free.cpu.value()}, {"memoryMiB", free.memory.value()}, {"gpuMilli", gpus}};
}

nlohmann::json ClassJsonFor(const CandidateClass& candidates) {
  return {{"node", candidates.example.name().value()},
          {"nodes", candidates.nodes},
          {"score", candidates.score},
          {"model", candidates.example.spec->model.value()},
          {"free", FreeJson(candidates.example.free)}};
}

nlohmann::json ChoiceJson(const DecisionRecord& record, const PlacedChoice& choice) {
  return {{"node", record.classes[choice.in_class].example.name().value()},
          {"gpus", GpuIndices(choice.gpus)},
          {"addedFragmentationGpuMilli", choice.added_fragmentation}};
}

nlohmann::json RecordJson(const PodDecisions& decisions) {
  const DecisionRecord& record = decisions.last;
  const Demand& demand = record.demand;
  nlohmann::json classes = nlohmann::json::array();
  for (const CandidateClass& one : record.classes) classes.push_back(ClassJsonFor(one));
  return {{"request", record.request},
          {"time", DateText(record.time)},
          {"decisions", decisions.count},
          {"pod",
           {{"namespace", record.pod.namespace_name},
            {"name", record.pod.name},
            {"uid", record.pod.uid},
            {"owner", record.pod.owner}}},
          {"demand",
           {{"cpuMilli", demand.cpu.value()},
            {"memoryMiB", demand.memory.value()},
            {"gpus", demand.gpus},
            {"milliPerGpu", demand.per_gpu.value()},
            {"managed", demand.accounting == GpuAccounting::kManaged},
            {"models", demand.models.alternatives()}}},
          {"profile", record.profile->version()},
          {"asked", record.asked},
          {"version", record.version},
          {"policy", record.policy},
          {"guard", record.guard},
          {"latencyNanoseconds", record.latency.count()},
          {"nodes", record.nodes},
          {"feasible", record.feasible},
          {"classes", std::move(classes)},
          {"moreClasses", record.more_classes}};
}

}  // namespace

std::string DateText(WallClock::TimePoint time) {
  return fmt::format("{:%Y-%m-%d %H:%M:%S} UTC",
                     fmt::gmtime(std::chrono::system_clock::to_time_t(time)));
}

std::string DecisionText(const PodDecisions& decisions, const ExplainedDecision* explained,
                         std::string_view heuristic) {
  const DecisionRecord& record = decisions.last;
  std::string text = HeadText(decisions);
  if (explained == nullptr) {
    return text + fmt::format("none of the {} could take the pod\n",
                              Count(record.nodes, "node looked at", "nodes looked at"));
  }
  return text + ChoiceText(record, *explained) + RunnerUpText(record, *explained) +
         HeuristicText(record, *explained, heuristic) + LeftOutText(record);
}

nlohmann::json DecisionJson(const PodDecisions& decisions, const ExplainedDecision* explained,
                            std::string_view heuristic) {
  nlohmann::json json = RecordJson(decisions);
  if (explained == nullptr) return json;
  json["choice"] = ChoiceJson(decisions.last, explained->choice);
  json["choice"]["freeAfter"] = FreeJson(explained->after);
  json["heuristic"] = ChoiceJson(decisions.last, explained->heuristic);
  json["heuristic"]["policy"] = heuristic;
  if (!explained->runner_up) return json;
  json["runnerUp"] = {{"node", decisions.last.classes[1].example.name().value()},
                      {"score", decisions.last.classes[1].score},
                      {"addedFragmentationGpuMilli", explained->runner_up->added_fragmentation},
                      {"lacking", explained->runner_up->lacking}};
  return json;
}

}  // namespace berth
