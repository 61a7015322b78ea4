#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "apps/berth/commands.h"
#include "apps/berth/decision_report.h"
#include "apps/berth/explain_report.h"
#include "apps/berth/pod_file.h"
#include "decisions/decision_reader.h"
#include "decisions/explained_decision.h"
#include "policy/heuristics.h"
#include "rpc/explain_client.h"

namespace berth {
namespace {

constexpr std::chrono::seconds kTimeout{10};

constexpr char kExamples[] = R"(
Examples:
  Where would this pod go, and why not elsewhere?
    kubectl get pod trainer-0 -o json | berth explain -f -
  A pod that does not exist yet:
    kubectl create --dry-run=client -o json -f trainer.yaml | berth explain -f -
  Two nodes only, for a script:
    berth explain -f trainer.json --node n1 --node n2 --json
  Why did a pod go where it went, by the log of berth serve --decision-log?
    berth explain ml/trainer-0 --log decisions.db)";

struct ExplainOptions {
  std::string service = "127.0.0.1:8790";
  std::string file;
  std::vector<std::string> nodes;
  std::string pod;
  std::string log;
  std::string heuristic = "fgd-bestfit";
  bool json = false;
};

Status PrintExplanation(const ExplainOptions& options) {
  const Result<PodFacts> pod = ReadPodFile(options.file);
  if (!pod.ok()) return pod.status();
  const Result<Explanation> explanation = Explain(options.service, *pod, options.nodes, kTimeout);
  if (!explanation.ok()) return explanation.status();
  if (options.json) {
    std::cout << ExplainJson(*explanation).dump(2) << "\n";
  } else {
    std::cout << ExplainTable(*pod, *explanation);
  }
  return {};
}

Status PrintLoggedDecision(const ExplainOptions& options) {
  const Result<ScorerPtr> heuristic = MakeHeuristic(options.heuristic);
  if (!heuristic.ok()) return heuristic.status();
  Result<DecisionReader> reader = DecisionReader::Open(options.log);
  if (!reader.ok()) return reader.status();
  const Result<PodDecisions> decisions = reader->OfPod(options.pod);
  if (!decisions.ok()) return decisions.status();
  ExplainedDecision placed;
  const ExplainedDecision* explained = nullptr;
  if (!decisions->last.classes.empty()) {
    Result<ExplainedDecision> result = ExplainDecision(decisions->last, **heuristic);
    if (!result.ok()) return result.status();
    placed = *std::move(result);
    explained = &placed;
  }
  if (options.json) {
    std::cout << DecisionJson(*decisions, explained, options.heuristic).dump(2) << "\n";
  } else {
    std::cout << DecisionText(*decisions, explained, options.heuristic);
  }
  return {};
}

// One of two ways to say which pod.
Status Print(const ExplainOptions& options) {
  if (!options.log.empty()) return PrintLoggedDecision(options);
  if (!options.file.empty()) return PrintExplanation(options);
  return absl::InvalidArgumentError("say which pod: -f FILE, or POD --log FILE");
}

int Run(const ExplainOptions& options) {
  const Status status = Print(options);
  if (status.ok()) return EXIT_SUCCESS;
  std::cerr << "berth explain: " << status.message() << "\n";
  return EXIT_FAILURE;
}

}  // namespace

void AddExplain(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* explain = app.add_subcommand("explain", "Say what Berth thinks of a pod, node by node");
  explain->footer(kExamples);
  CLI::Option* file =
      explain->add_option("-f,--file", options->file, "The pod as JSON; - reads standard input")
          ->type_name("FILE");
  CLI::Option* pod =
      explain
          ->add_option("POD", options->pod,
                       "With --log: namespace/name, a name, a UID or the number of a request")
          ->type_name("");
  CLI::Option* log =
      explain
          ->add_option("--log", options->log, "Answer from what berth serve --decision-log wrote")
          ->type_name("FILE")
          ->needs(pod)
          ->excludes(file);
  pod->needs(log);
  explain
      ->add_option("--heuristic", options->heuristic,
                   "With --log: the built-in policy to compare with")
      ->type_name("NAME")
      ->capture_default_str()
      ->needs(log);
  explain->add_option("--node", options->nodes, "Only this node; may be repeated")
      ->type_name("NAME");
  explain->add_option("--service", options->service, "Address of `berth serve`")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  explain->add_flag("--json", options->json, "Everything, as JSON");
  explain->callback([options, &chosen] { chosen = [options] { return Run(*options); }; });
}

}  // namespace berth
