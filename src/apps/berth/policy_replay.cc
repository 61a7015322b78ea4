#include "apps/berth/policy_replay.h"

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "apps/berth/policy_probe_command.h"
#include "apps/berth/replay_report.h"
#include "apps/berth/serving_policy.h"
#include "decisions/decision_reader.h"

namespace berth {
namespace {

constexpr int64_t kAtATime = 256;

struct ReplayOptions {
  std::string log;
  std::string policy;
  bool json = false;
};

Result<DecisionReplay> ReplayLog(const std::string& log, const Scorer& policy) {
  Result<DecisionReader> reader = DecisionReader::Open(log);
  if (!reader.ok()) return reader.status();
  DecisionReplay replay;
  while (true) {
    const Result<std::vector<DecisionRecord>> records = reader->Next(kAtATime);
    if (!records.ok()) return records.status();
    if (records->empty()) return replay;
    for (const DecisionRecord& record : *records) {
      if (Status status = replay.Add(record, policy); !status.ok()) return status;
    }
  }
}

Status PrintReplay(const ReplayOptions& options) {
  const std::shared_ptr<Logger> log = MakeStderrLogger("berth", "warn");
  PolicyProbation probation(ProbeWith(kThisProgram));
  const Result<ServedPolicy> policy = LoadPolicy(options.policy, probation, *log);
  if (!policy.ok()) return policy.status();
  const Result<DecisionReplay> replay = ReplayLog(options.log, *policy->scorer);
  if (!replay.ok()) return replay.status();
  if (options.json) {
    std::cout << ReplayJson(*replay, policy->name()).dump(2) << "\n";
  } else {
    std::cout << ReplayText(*replay, policy->name());
  }
  return {};
}

int Run(const ReplayOptions& options) {
  const Status status = PrintReplay(options);
  if (status.ok()) return EXIT_SUCCESS;
  std::cerr << "berth policy replay: " << status.message() << "\n";
  return EXIT_FAILURE;
}

}  // namespace

void AddPolicyReplay(CLI::App& policy, Command& chosen) {
  auto options = std::make_shared<ReplayOptions>();
  CLI::App* sub = policy.add_subcommand(
      "replay", "What another policy would have done on the decisions in a log");
  sub->footer(R"(
Examples:
  Is it worth a change?
    berth policy replay --log decisions.db --policy policies/berth
  The policy that made the log differs nowhere:
    berth policy replay --log decisions.db --policy policies/fgd-bestfit)");
  sub->add_option("--log", options->log, "What berth serve --decision-log wrote, or still writes")
      ->type_name("FILE")
      ->required();
  sub->add_option("--policy", options->policy,
                  "Directory with policy.pt and manifest.json, or the name of a built-in policy")
      ->type_name("DIR|NAME")
      ->required();
  sub->add_flag("--json", options->json, "Everything, as JSON");
  sub->callback([options, &chosen] { chosen = [options] { return Run(*options); }; });
}

}  // namespace berth
