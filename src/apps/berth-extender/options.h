#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "base/address.h"
#include "extender/extender_server.h"

namespace berth {

struct ProgramOptions {
  ExtenderServerOptions server;
  std::filesystem::path kubeconfig;  // empty: the service account of the pod we run in
  std::optional<Address> http;       // for health and metrics alone, beside the server's
  std::string log_level = "info";
};

// Reads the command line; --help, --version and mistakes are answered here and end the process.
ProgramOptions ParseOptions(int argc, char** argv);

}  // namespace berth
