#include "demo/options.h"

#include <CLI/CLI.hpp>
#include <cstdlib>

namespace berth {
namespace {

constexpr char kExamples[] = R"(
Examples:
  The whole show, in under a minute:
    berth-demo
  Small and quick, with a stream of pods of your own:
    berth-demo --nodes 100 --seed 42
  Keep the filled cluster up, to try `berth explain` on it:
    berth-demo --hold
  Other policies against each other:
    berth-demo --policies fgd,best-fit,first-fit)";

}  // namespace

DemoOptions ParseDemoOptions(int argc, char** argv, size_t most_nodes) {
  DemoOptions options;
  options.nodes = most_nodes;
  options.policies = {"", "fgd-bestfit", "bin-pack", "spread"};
  CLI::App app(
      "Berth places pods on GPU nodes, without a cluster: the real `berth serve` and\n"
      "berth-extender before an API server that lives in this program.\n");
  app.footer(kExamples);
  app.add_option("--nodes", options.nodes, "How many nodes of the openb cluster")
      ->capture_default_str()
      ->check(CLI::Range(size_t{1}, most_nodes));
  app.add_option("--pods", options.pods,
                 "How many pods arrive; default: until the GPUs are asked for")
      ->check(CLI::PositiveNumber);
  app.add_option("--seed", options.seed, "Draws the pods")->capture_default_str();
  app.add_option(
         "--policies", options.policies,
         "What to compare, comma-separated: names or directories for `berth serve --policy`")
      ->delimiter(',');
  app.add_option("--decision-log", options.decision_log,
                 "File in which `berth serve` keeps every decision, to ask about later")
      ->type_name("FILE");
  app.add_flag("--hold", options.hold,
               "Run the first policy only, then keep everything up to be asked, until Ctrl-C");
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error));
  }
  if (options.hold) options.policies.resize(1);
  return options;
}

}  // namespace berth
