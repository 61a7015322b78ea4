#pragma once

#include <cstdint>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace berth {

// A stand-in for the Kubernetes API server, for tests, benchmarks and the demo: nodes and pods in
// memory, served on 127.0.0.1 from construction to destruction. It speaks as much of the API as
// Berth and its tests use, quickly, and lies and fails on request. Thread-safe.
//
//   GET    /api/v1/nodes, /api/v1/pods           list with limit and continue, or watch=true with
//                                                resourceVersion; pods honour a fieldSelector that
//                                                leaves out terminated ones
//   GET    /api/v1/nodes/NAME, /api/v1/namespaces/NS/pods/NAME
//   POST   /api/v1/nodes, /api/v1/namespaces/NS/pods          201, or 409 when it exists
//   PUT    /api/v1/nodes/NAME, /api/v1/namespaces/NS/pods/NAME[/status]  200, or 404
//   DELETE /api/v1/nodes/NAME, /api/v1/namespaces/NS/pods/NAME   gone at once, no grace period;
//                                                needs a body or "Content-Length: 0"
//   POST   /api/v1/namespaces/NS/pods/NAME/binding   201, or 404, or 409 when it is bound; the
//                                                    binding's annotations go to the pod
//   GET    /version, /healthz, /livez, /readyz
//
// What is missing in an object is filled in as the real server does: uid, resourceVersion,
// namespace, kind, phase. Every change has a version of its own, counted from 1001. A watch that
// asks for an older version than is remembered gets 410 Gone in its stream.
class FakeApiServer {
 public:
  enum class Kind { kNodes, kPods };

  struct Options {
    std::string token;  // bearer token that every request must carry; empty: none
    // PEM. With a certificate the server speaks HTTPS; with an authority for clients it takes only
    // clients that show a certificate of it.
    std::string certificate, key, client_authority;
  };

  FakeApiServer() : FakeApiServer(Options()) {}
  explicit FakeApiServer(const Options& options);
  ~FakeApiServer();

  std::string url() const;  // "http://127.0.0.1:PORT"
  int port() const;

  // --- Objects. `key` is "NAME" of a node, "NAMESPACE/NAME" of a pod.

  // Creates or changes an object and tells the watches; returns its version.
  int64_t Put(Kind kind, nlohmann::json object);
  void Delete(Kind kind, const std::string& key);
  std::optional<nlohmann::json> Get(Kind kind, const std::string& key) const;
  size_t Count(Kind kind) const;

  // As POST .../binding does; returns the HTTP status.
  int Bind(const std::string& pod, const std::string& node,
           const nlohmann::json& annotations = nlohmann::json::object());

  // --- Faults. They strike the watches that are open, or requests from now on.

  // Other objects behind the watches' backs; what happened before is too old to watch from.
  void ReplaceSilently(Kind kind, std::vector<nlohmann::json> objects);
  // Whoever watches from a version before now gets 410 from now on, and so does `continue`.
  void ForgetHistory();

  void SendBookmark(Kind kind, int64_t version);
  // Bytes as they are, in chunks that end at `cuts` and at the end.
  void SendBytes(Kind kind, std::string bytes, std::vector<size_t> cuts = {});
  void EndWatches(Kind kind);    // as after timeoutSeconds: a clean end
  void BreakWatches(Kind kind);  // the connection is cut

  struct Answer {
    int status = 200;
    std::string body;  // of a watch: then the stream ends
  };
  static Answer GoneStatus();    // HTTP status 410
  static Answer GoneInStream();  // 200, and an ERROR event
  // What watches and lists get instead of the objects; nullopt: the objects again.
  void AnswerWatches(Kind kind, std::optional<Answer> answer);
  void AnswerLists(Kind kind, std::optional<Answer> answer);
  void RequireToken(const std::string& token);

  void Stop();   // closes the port and every connection; the objects stay
  void Start();  // on the same port again

  // --- What clients did.

  // Requests so far, oldest first: "GET /api/v1/pods?limit=500".
  std::vector<std::string> Requests() const;
  // Waits until `count` requests contain `text`; false after half a minute.
  bool AwaitRequests(std::string_view text, int count = 1) const;
  // Watches opened so far, those that have ended included.
  int Watches(Kind kind) const;
  // Waits until there are `count` of them; false after half a minute.
  bool AwaitWatches(Kind kind, int count = 1) const;

 private:
  class Impl;
  std::unique_ptr<Impl> impl_;
};

}  // namespace berth
