#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>
#include <memory>

#include "apps/berth/data_path.h"
#include "apps/berth/policy_commands.h"
#include "apps/berth/policy_description.h"

namespace berth {
namespace {

constexpr char kExamples[] = R"(
Examples:
  What is this policy, what does it read, what was it made of, how good was it found?
    berth policy inspect policies/berth
  For a script:
    berth policy inspect policies/berth --json | jq .manifest.version)";

struct InspectOptions {
  std::string directory;
  bool json = false;
};

int Inspect(const InspectOptions& options) {
  const auto directory = FindData(options.directory, ProgramDirectory());
  const auto file = directory.ok() ? ReadPolicyFile(*directory) : directory.status();
  if (!file.ok()) {
    std::cerr << "berth policy inspect: " << file.status().message() << "\n";
    return EXIT_FAILURE;
  }
  std::cout << (options.json ? PolicyAsJson(*file).dump(2) + "\n" : DescribePolicy(*file));
  return EXIT_SUCCESS;
}

}  // namespace

void AddPolicyInspect(CLI::App& policy, Command& chosen) {
  auto options = std::make_shared<InspectOptions>();
  CLI::App* sub =
      policy.add_subcommand("inspect", "What a policy file says about itself, without running it");
  sub->footer(kExamples);
  sub->add_option("DIR", options->directory, "The policy")->type_name("DIR")->required();
  sub->add_flag("--json", options->json, "Everything, as JSON");
  sub->callback([options, &chosen] { chosen = [options] { return Inspect(*options); }; });
}

}  // namespace berth
