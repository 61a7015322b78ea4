#include "apps/berth/evaluate_options.h"

#include <CLI/CLI.hpp>

#include "apps/berth/simulated_policy.h"
#include "sim/sim_policy.h"

namespace berth {
namespace {

constexpr char kExamples[] = R"(
Examples:
  Does the simulator reproduce the published results of the FGD paper? All of them:
    BERTH_TRACES=traces berth evaluate --suite openb
  The small slice of them in the source tree:
    berth evaluate --suite openb --orders tests/data/openb/orders \
      --expected tests/data/openb/expected --traces default,gpuspec33 --seeds 42-43
  Without any trace file: pods of a mix on the 1,213 nodes of openb
    berth evaluate --mix policies/profiles/openb-default.json --policies fgd-bestfit,bestfit
  The same when the mix is not known beforehand, but learned from the pods that arrive:
    berth evaluate --mix policies/profiles/openb-default.json --profile online
  How do policies fare where pods also leave, and wait for a place? (a minute)
    berth evaluate --suite living
  Any cluster and workload, beside FGD, with everything for a script:
    berth evaluate --nodes nodes.csv --pods monday.csv --pods tuesday.csv \
      --seeds 9001-9005 --policies fgd-bestfit,bestfit --json runs.json --report runs.html)";

void AddSuiteOptions(CLI::App& evaluate, EvaluateOptions& options) {
  CLI::Option* suite =
      evaluate
          .add_option("--suite", options.suite,
                      "openb: a benchmark with published results; exits with an error when ours "
                      "are too far from them. living: pods arrive, wait, run and leave")
          ->check(CLI::IsMember({"openb", "living"}))
          ->type_name("NAME");
  evaluate
      .add_option("--orders", options.orders,
                  "The orders of events, with node and pod lists in the directory above "
                  "(default: $BERTH_TRACES/openb/orders)")
      ->type_name("DIR")
      ->needs(suite);
  evaluate
      .add_option("--expected", options.expected,
                  "The published results (default: $BERTH_TRACES/openb/expected)")
      ->type_name("DIR")
      ->needs(suite);
  evaluate.add_option("--traces", options.traces, "Only these of the suite, such as default")
      ->type_name("NAME,...")
      ->delimiter(',')
      ->needs(suite);
}

void AddListOptions(CLI::App& evaluate, EvaluateOptions& options) {
  CLI::Option* nodes = evaluate.add_option("--nodes", options.nodes, "Node list, as openb has it")
                           ->type_name("FILE");
  CLI::Option* pods =
      evaluate.add_option("--pods", options.pods, "Pod list, as openb has it; may be repeated")
          ->type_name("FILE")
          ->needs(nodes);
  evaluate
      .add_option("--mix", options.mix,
                  "A workload profile, of whose classes the pods are; without --nodes on the 1,213 "
                  "nodes of openb")
      ->type_name("FILE")
      ->excludes(pods);
  evaluate
      .add_flag("--skip-bad-rows", options.skip_bad_rows,
                "Leave out rows that are wrong, and say so")
      ->needs(nodes);
}

}  // namespace

void AddEvaluateOptions(CLI::App& evaluate, EvaluateOptions& options) {
  evaluate.footer(kExamples);
  AddSuiteOptions(evaluate, options);
  AddListOptions(evaluate, options);
  evaluate
      .add_option("--profile", options.profile,
                  "What policies are told about the mix of pods: oracle, the whole of it; online, "
                  "what the pods show that arrived earlier; or the workload profile in FILE")
      ->type_name("oracle|online|FILE")
      ->capture_default_str();
  CLI::Option* lag =
      evaluate
          .add_option("--lag", options.lag,
                      "Decide as berth serve does that learns from a watch and has not seen the "
                      "latest K placements")
          ->check(CLI::Range(size_t{0}, size_t{1'000'000}))
          ->type_name("K");
  evaluate
      .add_option("--expectations", options.expectations,
                  "With --lag: whether it expects pods where it ranked them first, until it sees "
                  "them")
      ->check(CLI::IsMember({"on", "off"}))
      ->capture_default_str()
      ->needs(lag);
  evaluate
      .add_option("--seeds", options.seeds,
                  "Seeds (default: 42-51 of --suite openb, else 9001-9005)")
      ->type_name("N-M");
  evaluate
      .add_option("--policies", options.policies,
                  "Of " + SimulatedPolicyNames() +
                      " (default: the six of the FGD paper; bestfit-precise, "
                      "fgd and fgd-bestfit where pods leave)")
      ->type_name("NAME,...")
      ->delimiter(',');
  evaluate.add_option("--json", options.json, "Write every run's curve here")->type_name("FILE");
  evaluate
      .add_option("--report", options.report,
                  "Write a page with pictures here, for any browser; it is one file and loads "
                  "nothing")
      ->type_name("FILE");
}

Status CheckEvaluateOptions(const EvaluateOptions& options) {
  const bool has_published =
      !options.orders.empty() || !options.expected.empty() || !options.traces.empty();
  if (has_published && options.suite != "openb") {
    return absl::InvalidArgumentError("--orders, --expected and --traces are for --suite openb");
  }
  const bool has_own = !options.nodes.empty() || !options.mix.empty();
  if (has_own && options.suite == "openb") {
    return absl::InvalidArgumentError("--suite openb has its own nodes and pods, exactly those");
  }
  if (options.lag && options.suite == "living") {
    return absl::InvalidArgumentError("--lag is not for --suite living");
  }
  if (options.lag && !options.report.empty()) {
    return absl::InvalidArgumentError(
        "--report has no pictures of a service that lags: leave out "
        "--report or --lag");
  }
  if (options.lag && options.profile == "online") {
    return absl::InvalidArgumentError(
        "--lag is for policies that know the mix beforehand, as berth "
        "serve does: --profile oracle or --profile FILE");
  }
  return absl::OkStatus();
}

}  // namespace berth
