#include <CLI/CLI.hpp>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <vector>

#include "apps/berth/commands.h"
#include "apps/berth/explain_report.h"
#include "apps/berth/pod_file.h"
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
    berth explain -f trainer.json --node n1 --node n2 --json)";

struct ExplainOptions {
  std::string service = "127.0.0.1:8790";
  std::string file;
  std::vector<std::string> nodes;
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

int Run(const ExplainOptions& options) {
  const Status status = PrintExplanation(options);
  if (status.ok()) return EXIT_SUCCESS;
  std::cerr << "berth explain: " << status.message() << "\n";
  return EXIT_FAILURE;
}

}  // namespace

void AddExplain(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<ExplainOptions>();
  CLI::App* explain = app.add_subcommand("explain", "Say what Berth thinks of a pod, node by node");
  explain->footer(kExamples);
  explain->add_option("-f,--file", options->file, "The pod as JSON; - reads standard input")
      ->type_name("FILE")
      ->required();
  explain->add_option("--node", options->nodes, "Only this node; may be repeated")
      ->type_name("NAME");
  explain->add_option("--service", options->service, "Address of `berth serve`")
      ->type_name("HOST:PORT")
      ->capture_default_str();
  explain->add_flag("--json", options->json, "Everything, as JSON");
  explain->callback([options, &chosen] { chosen = [options] { return Run(*options); }; });
}

}  // namespace berth
