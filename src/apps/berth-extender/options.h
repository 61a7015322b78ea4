#pragma once

#include <filesystem>
#include <string>

#include "extender/extender_server.h"

namespace berth {

struct ProgramOptions {
  ExtenderServerOptions server;
  std::filesystem::path kubeconfig;  // empty: the service account of the pod we run in
  std::string log_level = "info";
};

// Reads the command line; --help, --version and mistakes are answered here and end the process.
ProgramOptions ParseOptions(int argc, char** argv);

}  // namespace berth
