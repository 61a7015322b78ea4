#include "apps/berth/policy_probe_command.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <iterator>
#include <memory>
#include <utility>
#include <vector>

#include "base/limited_child.h"
#include "base/real_clock.h"
#include "torch/policy_probe.h"
#include "torch/probe_verdict.h"
#include "torch/torch_model.h"

namespace berth {
namespace {

// With more threads than one, OpenBLAS takes more address space than there is.
const std::vector<std::string> kOneThread = {"OPENBLAS_NUM_THREADS=1", "OMP_NUM_THREADS=1"};

struct ProbeArguments {
  size_t columns = 0, context_columns = 0;
  int64_t budget_ms = 20;
};

int Probe(const ProbeArguments& arguments) {
  const std::string module(std::istreambuf_iterator<char>(std::cin), {});
  UseOneThreadEach();
  if (const Status closed = OpenNothingMore(); !closed.ok()) {
    std::cout << WriteVerdict(closed);
    return EXIT_FAILURE;
  }
  const ProbeOptions options = {.columns = arguments.columns,
                                .context_columns = arguments.context_columns,
                                .budget = std::chrono::milliseconds(arguments.budget_ms)};
  std::cout << WriteVerdict(ProbePolicy(module, options, ThreadCpuClock()));
  return EXIT_SUCCESS;
}

}  // namespace

PolicyProber ProbeWith(std::string program) {
  return [program = std::move(program)](const PolicyFile& file) -> Result<ProbeReport> {
    const ChildLimits limits;
    const auto end = RunLimited(
        {program, "policy", "probe", "--columns", std::to_string(file.schema.columns().size()),
         "--context-columns", std::to_string(file.schema.context_columns().size())},
        kOneThread, file.module_bytes, limits);
    if (!end.ok()) return end.status();
    return VerdictOf(*end, limits);
  };
}

void AddProbe(CLI::App& policy, Command& chosen) {
  auto arguments = std::make_shared<ProbeArguments>();
  CLI::App* sub = policy.add_subcommand("probe", "Probe a policy.pt on standard input");
  sub->group("");  // not for people: it runs what the file brings along, under its caller's limits
  sub->add_option("--columns", arguments->columns)->required();
  sub->add_option("--context-columns", arguments->context_columns)->required();
  sub->add_option("--budget-ms", arguments->budget_ms)->check(CLI::Range(1, 60'000));
  sub->callback([arguments, &chosen] { chosen = [arguments] { return Probe(*arguments); }; });
}

}  // namespace berth
