// berth-extender: answers kube-scheduler until a stop signal.

#include <cstdlib>
#include <memory>
#include <random>
#include <string>

#include "apps/berth-extender/options.h"
#include "base/real_clock.h"
#include "base/status_server.h"
#include "base/stop_signals.h"
#include "base/version.h"
#include "extender/extender_server.h"

namespace berth {
namespace {

std::string Environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? "" : value;
}

Result<ApiServerAccess> FindApiServer(const ProgramOptions& options) {
  if (!options.kubeconfig.empty()) return LoadKubeconfig(options.kubeconfig);
  const std::string host = Environment("KUBERNETES_SERVICE_HOST");
  if (host.empty()) {
    return absl::NotFoundError(
        "no API server: give --kubeconfig FILE, or run in a pod with a service account");
  }
  return LoadServiceAccount("/var/run/secrets/kubernetes.io/serviceaccount", host,
                            Environment("KUBERNETES_SERVICE_PORT"));
}

Status Run(const ProgramOptions& options, const StopSignals& stop, Logger& log) {
  const Result<ApiServerAccess> api_server = FindApiServer(options);
  if (!api_server.ok()) return api_server.status();
  const RealClock clock;
  Metrics metrics;
  AddBuildInfo(metrics);
  const auto server = ExtenderServer::Start(options.server, *api_server, clock, metrics, log);
  if (!server.ok()) return server.status();
  std::unique_ptr<StatusServer> health;
  if (options.http) {
    auto started = StatusServer::Start(options.http->host, options.http->port, metrics,
                                       [&server = **server] { return server.Ready(); });
    if (!started.ok()) return started.status();
    health = *std::move(started);
    log.info("msg=\"serving health and metrics\" http={}",
             Address{options.http->host, health->port()}.ToString());
  }
  log.info("msg=\"serving\" address={}:{} service={} api_server={} version={} commit={}",
           options.server.host, (*server)->port(), options.server.service, Quoted(api_server->url),
           Version(), Commit());
  log.info("msg=\"stopping\" signal={}", stop.Wait());
  return {};
}

}  // namespace
}  // namespace berth

int main(int argc, char** argv) {
  berth::ProgramOptions options = berth::ParseOptions(argc, argv);
  options.server.seed = std::random_device{}();
  const berth::StopSignals stop;
  const auto log = berth::MakeStderrLogger("berth-extender", options.log_level);
  const berth::Status status = berth::Run(options, stop, *log);
  if (status.ok()) return EXIT_SUCCESS;
  log->error("msg=\"cannot run\" error={}", berth::Quoted(std::string(status.message())));
  return EXIT_FAILURE;
}
