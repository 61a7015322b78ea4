#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "apps/berth/commands.h"
#include "apps/berth/output_file.h"
#include "apps/berth/simulate_input.h"
#include "apps/berth/simulate_report.h"
#include "apps/berth/simulated_policy.h"
#include "sim/living_history.h"

namespace berth {
namespace {

struct SimulateOptions {
  SimulateInput input;
  std::string policy = "fgd-bestfit";
  std::string queue = std::string(kBackfill.name);
  uint64_t seed = 9001;
  std::string json;
};

constexpr char kExamples[] = R"(
Examples:
  Your own jobs on 16 nodes of 8 GPUs each. jobs.csv needs no more than this:
    job,submit,duration,gpus
    train-1,2026-03-02 09:00:00,7200,8
    sweep-1,2026-03-02 09:45:00,600,1
    berth simulate --jobs jobs.csv --cluster 16x8
  It may also have gpu_milli, cpu_milli, memory_mib, models, priority, queue and gang, and seconds
  instead of dates (docs/simulation.md). Your nodes as a list, with models, CPU and memory:
    berth simulate --jobs jobs.csv --nodes nodes.csv --policy bestfit --json result.json
  Microsoft's Philly trace, where the first job that does not fit blocks all others:
    berth simulate --philly philly.csv --cluster 276x8 --queue fifo
  The Alibaba GPU trace 2023 at its own times:
    berth simulate --pods openb_pod_list_default.csv --nodes openb_node_list_gpu_node.csv)";

QueueRule QueueNamed(const std::string& name) { return name == kFifo.name ? kFifo : kBackfill; }

Status Simulate(const SimulateOptions& options) {
  const Result<SimPolicy> policy = FindSimulatedPolicy(options.policy);
  if (!policy.ok()) return policy.status();
  const Result<Replay> replay = ReadReplay(options.input);
  if (!replay.ok()) return replay.status();
  Rng rng(options.seed);
  const QueueRule queue = QueueNamed(options.queue);
  const auto history = PlayLiving(*policy, replay->trace, replay->workload, queue, rng);
  if (!history.ok()) return history.status();
  const Simulation simulation{policy->name, queue.name, options.seed, *replay, *history};
  std::cout << SimulationText(simulation);
  return options.json.empty() ? absl::OkStatus()
                              : WriteJson(SimulationJson(simulation), options.json);
}

int Run(const SimulateOptions& options) {
  const Status status = Simulate(options);
  if (status.ok()) return EXIT_SUCCESS;
  std::cerr << "berth simulate: " << status.message() << "\n";
  return EXIT_FAILURE;
}

void AddInputOptions(CLI::App& simulate, SimulateInput& input) {
  simulate.add_option("--jobs", input.jobs, "Jobs as CSV, from anywhere")->type_name("FILE");
  simulate.add_option("--philly", input.philly, "Jobs of the Philly trace, as Sia has it")
      ->type_name("FILE");
  simulate
      .add_option("--pods", input.pods,
                  "Pod list, as openb has it, with creation_time and deletion_time")
      ->type_name("FILE");
  simulate.add_option("--nodes", input.nodes, "Node list, as openb has it")->type_name("FILE");
  simulate
      .add_option("--cluster", input.cluster,
                  "Instead of --nodes: 64x8 for 64 nodes of 8 GPUs each, which have CPU and memory "
                  "for all; 64x8,10x4 for two kinds")
      ->type_name("NxG");
  simulate.add_flag("--skip-bad-rows", input.skip_bad_rows,
                    "Leave out rows that are wrong, and say so");
}

}  // namespace

void AddSimulate(CLI::App& app, Command& chosen) {
  auto options = std::make_shared<SimulateOptions>();
  CLI::App* simulate =
      app.add_subcommand("simulate", "Replay a trace of jobs through a policy, without a cluster");
  simulate->footer(kExamples);
  AddInputOptions(*simulate, options->input);
  simulate->add_option("--policy", options->policy, "One of " + SimulatedPolicyNames())
      ->type_name("NAME")
      ->capture_default_str();
  simulate
      ->add_option("--queue", options->queue,
                   "fifo: the first that waits blocks all others. backfill: others overtake it, as "
                   "with kube-scheduler. Higher priorities go first in both; nobody is preempted")
      ->check(CLI::IsMember({"fifo", "backfill"}))
      ->type_name("NAME")
      ->capture_default_str();
  simulate->add_option("--seed", options->seed, "Of what the policy leaves to chance")
      ->type_name("N")
      ->capture_default_str();
  simulate->add_option("--json", options->json, "Write everything here")->type_name("FILE");
  simulate->callback([options, &chosen] { chosen = [options] { return Run(*options); }; });
}

}  // namespace berth
