// berth: dispatches to the subcommands; see commands.h.

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <iostream>

#include "apps/berth/commands.h"
#include "base/version.h"

int main(int argc, char** argv) {
  CLI::App app("Berth places GPU pods on Kubernetes nodes by a policy.");
  app.name("berth");
  app.set_version_flag("--version",
                       fmt::format("berth {} ({})", berth::Version(), berth::Commit()));
  app.require_subcommand(0, 1);  // none is dealt with below, so that a wrong name is called wrong
  app.footer("\n`berth SUBCOMMAND --help` teaches by example.");

  berth::Command chosen;
  berth::AddServe(app, chosen);
  berth::AddExplain(app, chosen);
  berth::AddPolicy(app, chosen);
  berth::AddSimulate(app, chosen);
  berth::AddEvaluate(app, chosen);
  berth::AddTrain(app, chosen);
  CLI11_PARSE(app, argc, argv);
  if (chosen) return chosen();
  std::cerr << app.help();
  return EXIT_FAILURE;
}
