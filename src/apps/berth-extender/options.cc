#include "apps/berth-extender/options.h"

#include <CLI/CLI.hpp>
#include <cstdlib>

#include "base/version.h"

namespace berth {
namespace {

constexpr char kExamples[] = R"(
Examples:
  In a pod beside kube-scheduler and `berth serve` (the usual way):
    berth-extender
  On a workstation, against the cluster of a kubeconfig:
    berth-extender --kubeconfig ~/.kube/config
  Only for pods that ask for GPUs; all others pass without a preference:
    berth-extender --managed-resources nvidia.com/gpu,berth.dev/gpu-milli
  Where a kubelet probes and Prometheus scrapes, which do not come over loopback:
    berth-extender --http 0.0.0.0:8788

Endpoints: POST /filter, POST /prioritize, GET /healthz, /readyz, /metrics.
kube-scheduler needs nodeCacheCapable: true; see deploy/extender/kube-scheduler-config.yaml.)";

std::string AddressProblem(const std::string& text) {
  return std::string(ParseAddress(text).status().message());
}

}  // namespace

ProgramOptions ParseOptions(int argc, char** argv) {
  ProgramOptions options;
  std::string listen = "127.0.0.1:8787";
  std::string http;
  options.server.service = "127.0.0.1:8790";
  int64_t timeout_ms = options.server.timeout.count();

  CLI::App app("Lets kube-scheduler ask Berth where GPU pods should go (scheduler extender).\n");
  app.name("berth-extender");
  app.footer(kExamples);
  app.set_version_flag(
      "--version", "berth-extender " + std::string(Version()) + " (" + std::string(Commit()) + ")");
  app.add_option("--listen", listen, "Address for kube-scheduler, HOST:PORT; port 0 picks one")
      ->capture_default_str()
      ->check(AddressProblem);
  app.add_option("--http", http,
                 "One more address for /healthz, /readyz and /metrics, HOST:PORT; default: none")
      ->check(AddressProblem);
  app.add_option("--service", options.server.service, "Address of `berth serve`, HOST:PORT")
      ->capture_default_str()
      ->check(AddressProblem);
  app.add_option("--kubeconfig", options.kubeconfig,
                 "How to reach the API server; without it, the pod's service account is used")
      ->check(CLI::ExistingFile);
  app.add_option("--managed-resources", options.server.managed_resources,
                 "Resources, comma-separated, that make a pod Berth's business; default: all pods")
      ->delimiter(',');
  app.add_option("--timeout", timeout_ms, "How long to wait for the service, such as 100ms or 1s")
      ->default_str("100ms")
      ->transform(CLI::AsNumberWithUnit(std::map<std::string, int64_t>{{"ms", 1}, {"s", 1000}},
                                        CLI::AsNumberWithUnit::UNIT_REQUIRED, "TIME"))
      ->check(CLI::Range(1, 60'000));
  app.add_option("--log-level", options.log_level, "How much to log, to standard error")
      ->capture_default_str()
      ->check(CLI::IsMember({"debug", "info", "warn", "error"}));
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError& error) {
    std::exit(app.exit(error));
  }
  const Address address = ParseAddress(listen).value();
  options.server.host = address.host;
  options.server.port = address.port;
  if (!http.empty()) options.http = ParseAddress(http).value();
  options.server.timeout = std::chrono::milliseconds(timeout_ms);
  return options;
}

}  // namespace berth
