#include "support/fake_api_server.h"

#include <httplib.h>

#include <charconv>
#include <utility>

#include "base/check.h"
#include "support/fake_api_state.h"
#include "support/loopback_http.h"

namespace berth {
namespace {

using nlohmann::json;
using Kind = FakeApiServer::Kind;
using Answer = FakeApiServer::Answer;
using Entry = FakeObjects::Entry;

constexpr const char* kJson = "application/json";

json StatusBody(int code, const std::string& reason, const std::string& message) {
  return {{"kind", "Status"}, {"apiVersion", "v1"}, {"status", "Failure"},
          {"reason", reason}, {"message", message}, {"code", code}};
}

void Reply(httplib::Response& response, int status, const std::string& body) {
  response.status = status;
  response.set_content(body, kJson);
}

void Fail(httplib::Response& response, int status, const std::string& reason,
          const std::string& message) {
  Reply(response, status, StatusBody(status, reason, message).dump());
}

std::string KeyIn(const httplib::Request& request) {
  const std::string first = request.matches[1];
  return request.matches.size() > 2 ? first + "/" + request.matches[2].str() : first;
}

int64_t NumberParam(const httplib::Request& request, const char* name) {
  return std::atoll(request.get_param_value(name).c_str());
}

// Berth leaves out terminated pods as kube-scheduler does; other selectors are not known here.
bool OnlyRunning(const httplib::Request& request) {
  return request.get_param_value("fieldSelector").find("status.phase!=") != std::string::npos;
}

json GoneBody() { return StatusBody(410, "Expired", "too old resource version: 1 (9)"); }

std::string ErrorEvent(const json& status) {
  return json{{"type", "ERROR"}, {"object", status}}.dump() + "\n";
}

// "VERSION KEY": where the list began and how far it has come.
std::string ContinueToken(const FakeApiState::Page& page) {
  return page.last.empty() ? "" : std::to_string(page.version) + " " + page.last;
}

bool WriteInChunks(const Entry& entry, httplib::DataSink& sink) {
  size_t begin = 0;
  std::vector<size_t> ends = entry.cuts;
  ends.push_back(entry.text->size());
  for (const size_t end : ends) {
    if (end > begin && !sink.write(entry.text->data() + begin, end - begin)) return false;
    begin = std::max(begin, end);
  }
  return true;
}

bool WriteEntry(const Entry& entry, httplib::DataSink& sink) {
  switch (entry.what) {
    case Entry::What::kEvent: {
      const std::string line = "{\"type\":\"" + entry.type + "\",\"object\":" + *entry.text + "}\n";
      return sink.write(line.data(), line.size());
    }
    case Entry::What::kBytes:
      return WriteInChunks(entry, sink);
    case Entry::What::kEnd:
      sink.done();
      return true;
    case Entry::What::kBreak:
      break;
  }
  return false;
}

}  // namespace

class FakeApiServer::Impl {
 public:
  explicit Impl(const Options& options)
      : tls_{options.certificate, options.key, options.client_authority} {
    state.RequireToken(options.token);
    Start();
  }
  ~Impl() { Stop(); }

  void Start() {
    state.SetStopping(false);
    server_ = std::make_unique<LoopbackHttp>(
        port_, tls_, [this](httplib::Server& server) { AddRoutes(server); });
    port_ = server_->port();
  }

  void Stop() {
    state.SetStopping(true);
    server_.reset();
  }

  int port() const { return port_; }
  std::string url() const {
    return (tls_.certificate.empty() ? "http" : "https") +
           ("://127.0.0.1:" + std::to_string(port_));
  }

  FakeApiState state;

 private:
  using Request = const httplib::Request&;
  using Response = httplib::Response&;

  // Handlers run once the request is taken down and its token has been checked.
  template <class Handler>
  auto Admitted(Handler handler) {
    return [this, handler](Request request, Response response) {
      if (state.Admit(request.method + " " + request.target,
                      request.get_header_value("Authorization"))) {
        handler(request, response);
      } else {
        Fail(response, 401, "Unauthorized", "Unauthorized");
      }
    };
  }

  void AddRoutes(httplib::Server& server) {
    server.Get("/version", Admitted([](Request, Response response) {
                 Reply(response, 200, R"({"major":"1","minor":"36","gitVersion":"v1.36.0"})");
               }));
    server.Get("/(?:healthz|livez|readyz)",
               Admitted([](Request, Response response) { Reply(response, 200, "ok"); }));
    AddObjectRoutes(server, Kind::kNodes, "/api/v1/nodes", "/api/v1/nodes",
                    "/api/v1/nodes/([^/]+)(?:/status)?");
    AddObjectRoutes(server, Kind::kPods, "/api/v1/pods", "/api/v1/namespaces/([^/]+)/pods",
                    "/api/v1/namespaces/([^/]+)/pods/([^/]+?)(?:/status)?");
    server.Post("/api/v1/namespaces/([^/]+)/pods/([^/]+)/binding",
                Admitted([this](Request request, Response response) { Bind(request, response); }));
  }

  void AddObjectRoutes(httplib::Server& server, Kind kind, const char* all, const char* create,
                       const char* one) {
    server.Get(all, Admitted([this, kind](Request request, Response response) {
                 const std::string watch = request.get_param_value("watch");
                 watch == "true" || watch == "1" ? Watch(kind, request, response)
                                                 : List(kind, request, response);
               }));
    server.Post(create, Admitted([this, kind](Request request, Response response) {
                  Create(kind, request, response);
                }));
    server.Get(one, Admitted([this, kind](Request request, Response response) {
                 const std::optional<std::string> text = state.Get(kind, KeyIn(request));
                 text ? Reply(response, 200, *text)
                      : Fail(response, 404, "NotFound", KeyIn(request));
               }));
    server.Put(one, Admitted([this, kind](Request request, Response response) {
                 json object = json::parse(request.body);
                 state.Update(kind, object) ? Reply(response, 200, object.dump())
                                            : Fail(response, 404, "NotFound", KeyIn(request));
               }));
    server.Delete(one, Admitted([this, kind](Request request, Response response) {
                    state.Delete(kind, KeyIn(request))
                        ? Reply(response, 200, R"({"kind":"Status","status":"Success"})")
                        : Fail(response, 404, "NotFound", KeyIn(request));
                  }));
  }

  void List(Kind kind, Request request, Response response) {
    if (const std::optional<Answer> answer = state.ListAnswer(kind)) {
      return Reply(response, answer->status, answer->body);
    }
    const std::string token = request.get_param_value("continue");
    const int64_t version = std::atoll(token.c_str());
    const std::string after = token.substr(std::min(token.find(' '), token.size() - 1) + 1);
    const std::optional<FakeApiState::Page> page =
        state.List(kind, version, after, static_cast<size_t>(NumberParam(request, "limit")),
                   OnlyRunning(request));
    if (!page) return Reply(response, 410, GoneBody().dump());
    const json metadata = {{"resourceVersion", std::to_string(page->version)},
                           {"continue", ContinueToken(*page)}};
    Reply(response, 200,
          R"({"apiVersion":"v1","kind":)" +
              std::string(kind == Kind::kNodes ? R"("NodeList")" : R"("PodList")") +
              R"(,"metadata":)" + metadata.dump() + R"(,"items":[)" + page->items + "]}");
  }

  void Watch(Kind kind, Request request, Response response) {
    if (const std::optional<Answer> answer = state.WatchAnswer(kind)) {
      return Reply(response, answer->status, answer->body);
    }
    const std::optional<FakeWatch> opened =
        state.OpenWatch(kind, NumberParam(request, "resourceVersion"), OnlyRunning(request));
    if (!opened) return Reply(response, 200, ErrorEvent(GoneBody()));
    response.set_chunked_content_provider(
        kJson, [this, watch = *opened](size_t, httplib::DataSink& sink) mutable {
          const std::optional<Entry> entry = state.NextEntry(watch);
          return entry && WriteEntry(*entry, sink);
        });
  }

  void Create(Kind kind, Request request, Response response) {
    json object = json::parse(request.body);
    if (kind == Kind::kPods) object["metadata"]["namespace"] = request.matches[1].str();
    state.Create(kind, object)
        ? Reply(response, 201, object.dump())
        : Fail(response, 409, "AlreadyExists", FakeObjects::KeyOf(object) + " already exists");
  }

  void Bind(Request request, Response response) {
    const json binding = json::parse(request.body);
    const int status =
        state.Bind(KeyIn(request), binding.at("target").at("name"),
                   binding.value(json::json_pointer("/metadata/annotations"), json::object()));
    if (status == 201) return Reply(response, 201, R"({"kind":"Status","status":"Success"})");
    Fail(response, status, status == 404 ? "NotFound" : "Conflict", KeyIn(request));
  }

  const LoopbackHttp::Tls tls_;
  int port_ = 0;
  std::unique_ptr<LoopbackHttp> server_;
};

FakeApiServer::FakeApiServer(const Options& options) : impl_(std::make_unique<Impl>(options)) {}
FakeApiServer::~FakeApiServer() = default;

std::string FakeApiServer::url() const { return impl_->url(); }
int FakeApiServer::port() const { return impl_->port(); }

int64_t FakeApiServer::Put(Kind kind, json object) {
  return impl_->state.Put(kind, std::move(object));
}

void FakeApiServer::Delete(Kind kind, const std::string& key) { impl_->state.Delete(kind, key); }

std::optional<json> FakeApiServer::Get(Kind kind, const std::string& key) const {
  const std::optional<std::string> text = impl_->state.Get(kind, key);
  return text ? std::optional(json::parse(*text)) : std::nullopt;
}

size_t FakeApiServer::Count(Kind kind) const { return impl_->state.Count(kind); }

int FakeApiServer::Bind(const std::string& pod, const std::string& node, const json& annotations) {
  return impl_->state.Bind(pod, node, annotations);
}

void FakeApiServer::ReplaceSilently(Kind kind, std::vector<json> objects) {
  impl_->state.ReplaceSilently(kind, std::move(objects));
}

void FakeApiServer::ForgetHistory() { impl_->state.ForgetHistory(); }

void FakeApiServer::SendBookmark(Kind kind, int64_t version) {
  impl_->state.SendBookmark(kind, version);
}

void FakeApiServer::SendBytes(Kind kind, std::string bytes, std::vector<size_t> cuts) {
  for (const size_t cut : cuts) BERTH_CHECK(cut <= bytes.size(), "a cut lies within the bytes");
  impl_->state.Send(kind, {.what = Entry::What::kBytes,
                           .text = std::make_shared<const std::string>(std::move(bytes)),
                           .cuts = std::move(cuts)});
}

void FakeApiServer::EndWatches(Kind kind) { impl_->state.Send(kind, {.what = Entry::What::kEnd}); }

void FakeApiServer::BreakWatches(Kind kind) {
  impl_->state.Send(kind, {.what = Entry::What::kBreak});
}

FakeApiServer::Answer FakeApiServer::GoneStatus() {
  return {.status = 410, .body = GoneBody().dump()};
}

FakeApiServer::Answer FakeApiServer::GoneInStream() {
  return {.status = 200, .body = ErrorEvent(GoneBody())};
}

void FakeApiServer::AnswerWatches(Kind kind, std::optional<Answer> answer) {
  impl_->state.AnswerWatches(kind, std::move(answer));
}

void FakeApiServer::AnswerLists(Kind kind, std::optional<Answer> answer) {
  impl_->state.AnswerLists(kind, std::move(answer));
}

void FakeApiServer::RequireToken(const std::string& token) { impl_->state.RequireToken(token); }

void FakeApiServer::Stop() { impl_->Stop(); }
void FakeApiServer::Start() { impl_->Start(); }

std::vector<std::string> FakeApiServer::Requests() const { return impl_->state.Requests(); }

bool FakeApiServer::AwaitRequests(std::string_view text, int count) const {
  return impl_->state.AwaitRequests(text, count);
}

int FakeApiServer::Watches(Kind kind) const { return impl_->state.Watches(kind); }

bool FakeApiServer::AwaitWatches(Kind kind, int count) const {
  return impl_->state.AwaitWatches(kind, count);
}

}  // namespace berth
