#include "base/http_server.h"

#include <httplib.h>
#include <sys/eventfd.h>

#include <atomic>
#include <condition_variable>
#include <limits>
#include <mutex>
#include <system_error>
#include <thread>

#include "base/check.h"
#include "base/http_connection.h"

namespace berth {
namespace {

constexpr size_t kMaxHeaderBytes = 64 << 10;
constexpr int kListenBacklog = 512;

// A thread for each job; a job is a connection.
class ConnectionThreads final : public httplib::TaskQueue {
 public:
  void enqueue(std::function<void()> job) override {
    {
      const std::lock_guard lock(mutex_);
      ++running_;
    }
    try {
      std::thread([this, job] { Run(job); }).detach();
    } catch (const std::system_error&) {
      Run(job);  // no thread to be had: on the acceptor's own, which only closes the connection
    }
  }

  void shutdown() override {
    std::unique_lock lock(mutex_);
    none_running_.wait(lock, [this] { return running_ == 0; });
  }

 private:
  void Run(const std::function<void()>& job) {
    job();
    const std::lock_guard lock(mutex_);
    if (--running_ == 0) none_running_.notify_all();
  }

  std::mutex mutex_;
  std::condition_variable none_running_;
  int running_ = 0;
};

// Without SO_REUSEPORT, which httplib sets: two servers on one port would share its requests.
void ReuseAddress(int fd) {
  const int yes = 1;
  setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof(yes));
}

// 0 when the body can be taken, else the status that says why not.
int BodyProblem(const httplib::Request& request) {
  if (request.has_header("Content-Encoding") || request.is_multipart_form_data()) return 415;
  const bool may_have_body = request.method != "GET" && request.method != "HEAD";
  const bool length_unknown =
      request.has_header("Transfer-Encoding") || !request.has_header("Content-Length");
  return may_have_body && length_unknown ? 411 : 0;
}

std::string_view BodyAdvice(int status) {
  return status == 415 ? "send the body plain, without Content-Encoding\n"
                       : "send the body with a Content-Length, not in chunks\n";
}

}  // namespace

class HttpServer::Impl final : public httplib::Server {
 public:
  explicit Impl(const HttpServerOptions& options)
      : options_(options), stop_fd_(eventfd(0, EFD_CLOEXEC)) {
    BERTH_CHECK(stop_fd_ >= 0, "no eventfd");
    set_tcp_nodelay(true);
    set_socket_options(ReuseAddress);
    set_payload_max_length(options.max_body_bytes);
    new_task_queue = [] { return new ConnectionThreads; };
    set_pre_routing_handler(RefuseOddBodies);
    set_exception_handler([](const httplib::Request&, httplib::Response& response, auto) {
      response.status = 500;
      response.set_content("internal error\n", "text/plain");
    });
  }

  ~Impl() override {
    CloseListener();
    ::close(stop_fd_);
  }

  Result<int> Bind(const std::string& host, int port) {
    const int bound = port == 0 ? bind_to_any_port(host) : bind_to_port(host, port) ? port : -1;
    if (bound < 0 || ::listen(svr_sock_, kListenBacklog) != 0) {
      return absl::UnavailableError("cannot listen on " + host + ":" + std::to_string(port) +
                                    ": is the port in use, or the address not ours?");
    }
    return bound;
  }

  void Serve() {
    acceptor_ = std::this_thread::get_id();
    listen_after_bind();
    const std::lock_guard lock(mutex_);
    svr_sock_ = INVALID_SOCKET;  // httplib has closed it
  }

  void Stop() {
    if (stopping_.exchange(true)) return;
    eventfd_write(stop_fd_, 1);
    // Ends accept(), also one that is called later. httplib's own stop() does not.
    const std::lock_guard lock(mutex_);
    if (svr_sock_ != INVALID_SOCKET) ::shutdown(svr_sock_, SHUT_RDWR);
  }

 private:
  static HandlerResponse RefuseOddBodies(const httplib::Request& request,
                                         httplib::Response& response) {
    const int problem = BodyProblem(request);
    if (problem == 0) return HandlerResponse::Unhandled;
    response.status = problem;
    response.set_content(std::string(BodyAdvice(problem)), "text/plain");
    return HandlerResponse::Handled;
  }

  bool process_and_close_socket(socket_t fd) override {
    HttpConnection connection(fd, stop_fd_);
    const bool welcome =
        ++open_ <= options_.max_connections && std::this_thread::get_id() != acceptor_;
    if (welcome) AnswerAll(connection);
    --open_;
    return welcome;
  }

  void AnswerAll(HttpConnection& connection) {
    bool go_on = true;
    while (go_on && connection.AwaitRequest(options_.idle_patience)) {
      connection.AllowBytes(kMaxHeaderBytes);
      connection.AllowTime(options_.request_patience);
      bool closing = false;
      bool understood = false;  // without a whole header, where the next request begins is unknown
      const auto after_header = [&](httplib::Request& request) {
        understood = BodyProblem(request) == 0;
        connection.AllowBytes(std::numeric_limits<size_t>::max());
        request.headers.erase("Accept-Encoding");
        if (!understood) {
          request.headers.erase("Connection");
          request.set_header("Connection", "close");
        }
      };
      go_on = process_request(connection, false, closing, after_header) && understood && !closing &&
              !connection.Ended();
      if (!understood) connection.Drain();
    }
  }

  void CloseListener() {
    if (svr_sock_ != INVALID_SOCKET) ::close(svr_sock_);
  }

  const HttpServerOptions options_;
  const int stop_fd_;
  std::thread::id acceptor_;
  std::atomic<bool> stopping_{false};
  std::atomic<int> open_{0};
  std::mutex mutex_;  // guards svr_sock_ against being closed while Stop uses it
};

HttpServer::HttpServer(const HttpServerOptions& options) : impl_(std::make_unique<Impl>(options)) {}
HttpServer::~HttpServer() = default;

httplib::Server& HttpServer::routes() { return *impl_; }
Result<int> HttpServer::Bind(const std::string& host, int port) { return impl_->Bind(host, port); }
void HttpServer::Serve() { impl_->Serve(); }
void HttpServer::Stop() { impl_->Stop(); }

}  // namespace berth
