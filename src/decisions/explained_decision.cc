#include "decisions/explained_decision.h"

#include <fmt/format.h>

#include "cluster/gpu_choice.h"
#include "policy/choice_regret.h"

namespace berth {
namespace {

// Whether a share goes to a GPU that nobody uses.
bool BreaksIntoAGpu(const Demand& demand, const FreeState& free, const GpuSet& gpus) {
  return demand.IsShare() && free.gpus[gpus[0]] == kWholeGpu;
}

std::string ModelText(const GpuModel& model) { return model.empty() ? "unknown" : model.value(); }

// Only what is plain to see: a policy may have had other reasons, or none that has a name.
std::vector<std::string> Lacking(const DecisionRecord& record, const PlacedChoice& choice,
                                 const GpuSet& gpus, double added_fragmentation) {
  const CandidateClass& first = record.classes[0];
  const CandidateClass& second = record.classes[1];
  const NodeSpec& chosen = *first.example.spec;
  const NodeSpec& other = *second.example.spec;
  const Demand& demand = record.demand;
  std::vector<std::string> lacking;
  if (second.score == first.score) {
    lacking.push_back("nothing: it scored the same, and the first by name is taken");
  }
  if (added_fragmentation > choice.added_fragmentation) {
    lacking.push_back(
        "more idle GPU would have become useless to the pods that are likely to come");
  }
  if (BreaksIntoAGpu(demand, second.example.free, gpus) &&
      !BreaksIntoAGpu(demand, first.example.free, choice.gpus)) {
    lacking.push_back("the share would have broken into a GPU that nobody uses");
  }
  if (demand.gpus == 0 && other.gpus > 0 && chosen.gpus == 0) {
    lacking.push_back("it has GPUs, which the pod does not need");
  }
  if (demand.gpus > 0 && other.model != chosen.model) {
    lacking.push_back(fmt::format("its GPUs are of another model: {}, not {}",
                                  ModelText(other.model), ModelText(chosen.model)));
  }
  if (lacking.empty()) lacking.push_back("nothing that is counted here: the score alone decided");
  return lacking;
}

ExplainedDecision::RunnerUp ExplainRunnerUp(const DecisionRecord& record,
                                            const PlacedChoice& choice) {
  const Node& node = record.classes[1].example;
  const GpuSet gpus = ChooseGpusBestFit(node.free, record.demand);
  const double added = AddedFragmentation({&node, gpus}, record.demand, *record.profile);
  return {added, Lacking(record, choice, gpus, added)};
}

}  // namespace

Result<ExplainedDecision> ExplainDecision(const DecisionRecord& record, const Scorer& heuristic) {
  ExplainedDecision explained{.choice = ChoiceOf(record)};
  explained.after = AfterPlacing(record.classes[0].example.free, record.demand, record.gpus);
  if (record.classes.size() > 1) explained.runner_up = ExplainRunnerUp(record, explained.choice);
  Result<PlacedChoice> other = ChoiceOf(heuristic, record);
  if (!other.ok()) return other.status();
  explained.heuristic = *std::move(other);
  return explained;
}

}  // namespace berth
