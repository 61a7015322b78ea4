#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <vector>

#include "apps/berth/evaluate_input.h"
#include "apps/berth/policy_commands.h"
#include "apps/berth/seed_list.h"
#include "apps/berth/simulated_policy.h"
#include "sim/choice_comparison.h"
#include "sim/openb_suite.h"

namespace berth {
namespace {

constexpr char kExamples[] = R"(
Examples:
  How often does a new policy choose otherwise than the one that serves, and where?
    berth policy diff policies/fgd-bestfit policies/berth
  On your own lists:
    berth policy diff policies/fgd-bestfit policies/mine --nodes nodes.csv --pods pods.csv
The first policy packs pods onto an empty cluster; the second is asked about each in the same state.
Nodes that are alike in model, size and what is free are one choice.)";

struct DiffOptions {
  std::string first, second;
  EvaluateOptions input;
};

double Percent(const ChoiceCount& count) {
  return count.decisions == 0
             ? 0
             : 100 * static_cast<double>(count.differ) / static_cast<double>(count.decisions);
}

std::string LineOf(std::string_view what, const ChoiceCount& count) {
  return fmt::format("{:<14} {:>10} {:>10} {:>9.1f} %\n", what, count.decisions, count.differ,
                     Percent(count));
}

std::string TextOf(const ChoiceComparison& comparison) {
  std::string text =
      fmt::format("{:<14} {:>10} {:>10} {:>11}\n", "pods", "decisions", "differ", "");
  text += LineOf("all", comparison.all);
  for (size_t size = 0; size < kJobSizes; ++size) {
    text += LineOf(NameOf(static_cast<JobSize>(size)), comparison.by_size[size]);
  }
  text += "GPUs in use\n";
  for (size_t tenth = 0; tenth < kLoadTenths; ++tenth) {
    const size_t percent = tenth * 100 / kLoadTenths;
    text += LineOf(fmt::format("{} to {} %", percent, percent + 100 / kLoadTenths),
                   comparison.by_load[tenth]);
  }
  return text;
}

Result<ChoiceComparison> Compare(const DiffOptions& options) {
  const Result<SimPolicy> first = FindSimulatedPolicy(options.first);
  if (!first.ok()) return first.status();
  const Result<SimPolicy> second = FindSimulatedPolicy(options.second);
  if (!second.ok()) return second.status();
  const Result<std::vector<uint64_t>> seeds = ParseSeeds(options.input.seeds);
  if (!seeds.ok()) return seeds.status();
  Result<Trace> trace = ReadLivingTrace(options.input);
  if (!trace.ok()) return trace.status();
  const SeededTrace orders = DrawOrders("", *std::move(trace), *seeds);
  ChoiceComparison comparison;
  for (const SeededTrace::Seed& seed : orders.seeds) {
    Rng rng(seed.seed);
    Status compared = CompareChoices(*first, *second, orders.trace, seed.order, rng, comparison);
    if (!compared.ok()) return compared;
  }
  return comparison;
}

int Run(const DiffOptions& options) {
  const Result<ChoiceComparison> comparison = Compare(options);
  if (!comparison.ok()) {
    std::cerr << "berth policy diff: " << comparison.status().message() << "\n";
    return EXIT_FAILURE;
  }
  std::cout << TextOf(*comparison);
  return EXIT_SUCCESS;
}

}  // namespace

void AddPolicyDiff(CLI::App& policy, Command& chosen) {
  auto options = std::make_shared<DiffOptions>();
  options->input.seeds = "9001-9003";
  CLI::App* sub =
      policy.add_subcommand("diff", "How often two policies choose differently, and where");
  sub->footer(kExamples);
  const std::string names = "One of " + SimulatedPolicyNames();
  sub->add_option("A", options->first, names)->type_name("DIR|NAME")->required();
  sub->add_option("B", options->second, names)->type_name("DIR|NAME")->required();
  CLI::Option* nodes = sub->add_option("--nodes", options->input.nodes,
                                       "Node list, as openb has it (default: openb's default mix)");
  CLI::Option* pods = sub->add_option("--pods", options->input.pods, "Pod list, as openb has it");
  for (CLI::Option* option : {nodes, pods}) option->type_name("FILE");
  nodes->needs(pods);
  pods->needs(nodes)->expected(1);
  sub->add_option("--seeds", options->input.seeds, "Of the orders in which the pods arrive")
      ->type_name("LIST")
      ->capture_default_str();
  sub->callback([options, &chosen] { chosen = [options] { return Run(*options); }; });
}

}  // namespace berth
