#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <memory>

#include "apps/berth/commands.h"
#include "torch/export.h"

namespace berth {
namespace {

constexpr char kExamples[] = R"(
Examples:
  Make a policy file of a heuristic that `berth serve --policy` takes:
    berth policy export fgd-bestfit --out policies/fgd-bestfit
  Look at what it says about itself:
    cat policies/fgd-bestfit/manifest.json
  Serve it:
    berth serve --policy policies/fgd-bestfit)";

struct ExportOptions {
  std::string name;
  std::string out;
};

int Export(const ExportOptions& options) {
  const Status status = ExportHeuristic(options.name, options.out);
  if (!status.ok()) {
    std::cerr << "berth policy export: " << status.message() << "\n";
    return EXIT_FAILURE;
  }
  std::cout << "wrote " << options.out << "/policy.pt and manifest.json\n";
  return EXIT_SUCCESS;
}

}  // namespace

void AddPolicy(CLI::App& app, Command& chosen) {
  CLI::App* policy = app.add_subcommand("policy", "Make policy files");
  policy->require_subcommand(1);
  policy->footer(kExamples);
  auto options = std::make_shared<ExportOptions>();
  CLI::App* sub = policy->add_subcommand("export", "Write a built-in policy as a TorchScript file");
  sub->footer(kExamples);
  sub->add_option("NAME", options->name, "Name of the built-in policy: fgd-bestfit")
      ->type_name("")
      ->required();
  sub->add_option("--out", options->out, "Directory to write to")->type_name("DIR")->required();
  sub->callback([options, &chosen] { chosen = [options] { return Export(*options); }; });
}

}  // namespace berth
