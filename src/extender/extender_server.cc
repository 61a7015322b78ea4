#include "extender/extender_server.h"

#include "base/http_status.h"
#include "extender/extender_routes.h"
#include "rpc/feed_client.h"

namespace berth {
namespace {

// With names instead of Node objects a body has tens of kilobytes. The room is for those who send
// the objects by mistake, to tell them so.
constexpr size_t kMaxBodyBytes = size_t{32} << 20;

}  // namespace

ExtenderServer::ExtenderServer(std::unique_ptr<HttpServer> http,
                               const ExtenderServerOptions& options,
                               const ApiServerAccess& api_server, Rng rng, const Clock& clock,
                               Metrics& metrics, Logger& log)
    : http_(std::move(http)),
      watch_(StartClusterWatch(api_server, store_, rng(), metrics, log)),
      feeder_(
          store_, [target = options.service] { return OpenFeed(target, "berth-extender"); },
          {.seed = rng()}, metrics, log),
      service_(MakeScoringClient(options.service, options.timeout)),
      extender_(
          *service_, [this] { return Synced(); }, options.managed_resources, clock, metrics, log) {
  AddExtenderRoutes(http_->routes(), extender_);
  AddStatusRoutes(http_->routes(), metrics, [this] { return Ready(); });
}

Result<std::unique_ptr<ExtenderServer>> ExtenderServer::Start(const ExtenderServerOptions& options,
                                                              const ApiServerAccess& api_server,
                                                              const Clock& clock, Metrics& metrics,
                                                              Logger& log) {
  // Before anything else: a second extender on the port must not take the feed from the first.
  auto http = std::make_unique<HttpServer>(HttpServerOptions{.max_body_bytes = kMaxBodyBytes});
  const Result<int> port = http->Bind(options.host, options.port);
  if (!port.ok()) return port.status();
  std::unique_ptr<ExtenderServer> server(new ExtenderServer(
      std::move(http), options, api_server, Rng(options.seed), clock, metrics, log));
  server->port_ = *port;
  server->serving_ = std::jthread([&http = *server->http_] { http.Serve(); });
  return server;
}

ExtenderServer::~ExtenderServer() { http_->Stop(); }

Status ExtenderServer::Synced() const {
  if (!store_.Synced())
    return absl::UnavailableError("not synced: nodes and pods are being listed");
  if (!feeder_.Delivered()) {
    return absl::UnavailableError("not synced: the service has not taken in the list yet");
  }
  return {};
}

}  // namespace berth
