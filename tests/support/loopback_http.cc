#include "support/loopback_http.h"

#include <httplib.h>
#include <openssl/ssl.h>

#include "base/check.h"
#include "base/tls_context.h"

namespace berth {
namespace {

bool SetUp(SSL_CTX& context, const LoopbackHttp::Tls& tls) {
  Status status = UseIdentity(&context, tls.certificate, tls.key);
  if (status.ok() && !tls.client_authority.empty()) {
    status = TrustAuthorities(&context, tls.client_authority);
    SSL_CTX_set_verify(&context, SSL_VERIFY_PEER | SSL_VERIFY_FAIL_IF_NO_PEER_CERT, nullptr);
  }
  BERTH_CHECK(status.ok(), std::string(status.message()).c_str());
  return true;
}

std::unique_ptr<httplib::SSLServer> MakeHttps(const LoopbackHttp::Tls& tls) {
  auto server = std::make_unique<httplib::SSLServer>(
      [&tls](SSL_CTX& context) { return SetUp(context, tls); });
  server->set_tcp_nodelay(true);
  server->set_keep_alive_max_count(1'000'000);
  server->set_keep_alive_timeout(1);  // seconds; it also delays the end
  server->new_task_queue = [] { return new httplib::ThreadPool(16); };
  return server;
}

}  // namespace

LoopbackHttp::LoopbackHttp(int port, const Tls& tls,
                           const std::function<void(httplib::Server&)>& add_routes) {
  const char* host = "127.0.0.1";
  if (tls.certificate.empty()) {
    http_ = std::make_unique<HttpServer>(HttpServerOptions{.max_body_bytes = 64 << 20});
    add_routes(http_->routes());
    const Result<int> bound = http_->Bind(host, port);
    BERTH_CHECK(bound.ok(), std::string(bound.status().message()).c_str());
    port_ = *bound;
    thread_ = std::jthread([this] { http_->Serve(); });
  } else {
    https_ = MakeHttps(tls);
    add_routes(*https_);
    port_ = port == 0                          ? https_->bind_to_any_port(host)
            : https_->bind_to_port(host, port) ? port
                                               : -1;
    BERTH_CHECK(port_ > 0, "cannot listen on 127.0.0.1");
    thread_ = std::jthread([this] { https_->listen_after_bind(); });
    while (!https_->is_running()) std::this_thread::yield();  // before that, stop() is lost
  }
}

LoopbackHttp::~LoopbackHttp() {
  if (http_) http_->Stop();
  if (https_) https_->stop();
}

}  // namespace berth
