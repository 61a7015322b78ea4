#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "apps/berth/commands.h"
#include "apps/berth/data_path.h"
#include "apps/berth/output_file.h"
#include "apps/berth/policy_commands.h"
#include "apps/berth/policy_measurement.h"
#include "apps/berth/policy_probe_command.h"
#include "apps/berth/policy_replay.h"
#include "apps/berth/progress_line.h"
#include "base/real_clock.h"
#include "base/version.h"
#include "torch/export.h"
#include "torch/policy_file.h"
#include "torch/policy_writer.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

constexpr char kExamples[] = R"(
Examples:
  Make a policy file of a heuristic that `berth serve --policy` takes:
    berth policy export fgd-bestfit --out policies/fgd-bestfit
  Look at what it says about itself:
    cat policies/fgd-bestfit/manifest.json
  Does it still do what was measured when it was made?
    berth policy verify policies/berth
  Serve it:
    berth serve --policy policies/fgd-bestfit
  What would it have done where another served?
    berth policy replay --log decisions.db --policy policies/fgd-bestfit
  Which answers now, where `berth serve --policies DIR` runs? (Then: shadow, canary, promote, rollback.)
    berth policy list)";

constexpr char kResultsFile[] = "results.json";

int Failed(std::string_view command, const Status& status) {
  std::cerr << "berth policy " << command << ": " << status.message() << "\n";
  return EXIT_FAILURE;
}

struct ExportOptions {
  std::string name;
  std::string out;
};

int Export(const ExportOptions& options) {
  const PolicyManifest about{
      .version = "1",
      .created = UtcTime(RealWallClock().Now()),
      .created_by = fmt::format("berth policy export {} ({})", Version(), Commit())};
  if (const Status status = ExportHeuristic(options.name, about, options.out); !status.ok()) {
    return Failed("export", status);
  }
  std::cout << "wrote " << options.out << "/policy.pt and manifest.json\n";
  return EXIT_SUCCESS;
}

Result<PolicyResults> Measure(const fs::path& directory, const MeasuredPart& part) {
  const RealClock clock;
  ProgressLine line("runs", isatty(STDERR_FILENO) == 1, std::cerr, clock);
  const auto threads = static_cast<int>(std::max(1U, std::thread::hardware_concurrency()));
  return MeasurePolicy(
      directory, part,
      {.threads = threads, .progress = [&line](size_t done, size_t all) { line.Show(done, all); }});
}

struct MeasureOptions {
  std::string directory;
  std::string orders;
};

// Into the manifest.
Status AddSummary(const fs::path& directory, const PolicyResults& results) {
  Result<PolicyFile> file = ReadPolicyFile(directory);
  if (!file.ok()) return file.status();
  file->manifest.results = SummaryOf(results);
  return WritePolicy(directory, file->module_bytes, file->manifest);
}

int MeasureAll(const MeasureOptions& options) {
  const auto results = Measure(options.directory, WholeSuite(options.orders));
  if (!results.ok()) return Failed("measure", results.status());
  const fs::path file = fs::path(options.directory) / kResultsFile;
  Status written = WriteFile(WriteResults(*results), file.string());
  if (written.ok()) written = AddSummary(options.directory, *results);
  if (!written.ok()) return Failed("measure", written);
  std::cout << "wrote " << file.string() << "\n";
  return EXIT_SUCCESS;
}

struct VerifyOptions {
  std::vector<std::string> directories;
  std::string orders = "tests/data/openb/orders";
};

// A line for each difference. Errors: it would not be let serve, or nothing could be compared.
Result<std::vector<std::string>> VerifyOne(const fs::path& directory, const MeasuredPart& part,
                                           PolicyProbation& probation) {
  if (const auto admitted = probation.Admit(directory); !admitted.ok()) return admitted.status();
  if (!fs::exists(directory / kResultsFile)) {
    std::cout << fmt::format("{}: may serve; there is no {} to compare with\n", directory.string(),
                             kResultsFile);
    return std::vector<std::string>{};
  }
  const auto recorded = LoadResults(directory / kResultsFile);
  if (!recorded.ok()) return recorded.status();
  const auto repeated = Measure(directory, part);
  if (!repeated.ok()) return repeated.status();
  std::vector<std::string> differences = DifferencesFrom(*recorded, *repeated);
  if (differences.empty()) {
    std::cout << fmt::format(
        "{}: {} scores, {} packing and {} living runs are {} recorded\n", directory.string(),
        repeated->scores.size(), repeated->packing.size(), repeated->living.size(),
        ToleranceBetween(*recorded, *repeated).score == 0 ? "exactly as" : "close to what was");
  }
  return differences;
}

int Verify(const VerifyOptions& options) {
  const auto orders = FindData(options.orders, ProgramDirectory());
  if (!orders.ok()) return Failed("verify", orders.status());
  const auto part = PartThatLiesIn(*orders);
  if (!part.ok()) return Failed("verify", part.status());
  PolicyProbation probation(ProbeWith(kThisProgram));
  int status = EXIT_SUCCESS;
  for (const std::string& directory : options.directories) {
    const auto differences = VerifyOne(directory, *part, probation);
    if (!differences.ok()) return Failed("verify", differences.status());
    for (const std::string& difference : *differences) {
      std::cerr << "berth policy verify: " << directory << ": " << difference << "\n";
      status = EXIT_FAILURE;
    }
  }
  return status;
}

void AddExport(CLI::App& policy, Command& chosen) {
  auto options = std::make_shared<ExportOptions>();
  CLI::App* sub = policy.add_subcommand("export", "Write a built-in policy as a TorchScript file");
  sub->footer(kExamples);
  sub->add_option("NAME", options->name, "Name of the built-in policy: fgd or fgd-bestfit")
      ->type_name("")
      ->required();
  sub->add_option("--out", options->out, "Directory to write to")->type_name("DIR")->required();
  sub->callback([options, &chosen] { chosen = [options] { return Export(*options); }; });
}

void AddMeasure(CLI::App& policy, Command& chosen) {
  auto options = std::make_shared<MeasureOptions>();
  CLI::App* sub = policy.add_subcommand(
      "measure",
      "Write results.json beside a policy, what it does on the benchmark, and its sum "
      "into the manifest");
  sub->footer(R"(
Examples:
  After a training, with the orders of the openb benchmark (minutes):
    berth policy measure policies/berth --orders traces/openb/orders)");
  sub->add_option("DIR", options->directory, "The policy")->type_name("DIR")->required();
  sub->add_option("--orders", options->orders, "The orders of events, with the lists above")
      ->type_name("DIR")
      ->required();
  sub->callback([options, &chosen] { chosen = [options] { return MeasureAll(*options); }; });
}

void AddVerify(CLI::App& policy, Command& chosen) {
  auto options = std::make_shared<VerifyOptions>();
  CLI::App* sub = policy.add_subcommand(
      "verify",
      "Whether policies may serve, and still do what their results.json says, on a part of it");
  sub->footer(R"(
Examples:
  All that are shipped, on the orders in the source tree (a minute):
    berth policy verify policies/linear policies/berth
First each must pass what serve demands. Then it compares exactly where processor and build are those that made results.json, else scores within
1e-5 and allocations within 0.05 points.)");
  sub->add_option("DIR", options->directories, "The policies")->type_name("DIR")->required();
  sub->add_option("--orders", options->orders,
                  "The orders of events, with the lists above (default: those in the source tree)")
      ->type_name("DIR");
  sub->callback([options, &chosen] { chosen = [options] { return Verify(*options); }; });
}

}  // namespace

void AddPolicy(CLI::App& app, Command& chosen) {
  CLI::App* policy = app.add_subcommand(
      "policy", "Make, look at, compare, measure, verify and replay policies; roll them out");
  policy->require_subcommand(1);
  policy->footer(kExamples);
  AddPolicyPack(*policy, chosen);
  AddPolicyInspect(*policy, chosen);
  AddPolicyDiff(*policy, chosen);
  AddExport(*policy, chosen);
  AddMeasure(*policy, chosen);
  AddVerify(*policy, chosen);
  AddProbe(*policy, chosen);
  AddPolicyReplay(*policy, chosen);
  AddPolicyList(*policy, chosen);
  AddPolicyWatch(*policy, chosen);
  AddPolicyRollout(*policy, chosen);
}

}  // namespace berth
