#pragma once

#include <array>
#include <condition_variable>
#include <cstdint>
#include <functional>
#include <mutex>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "support/fake_api_server.h"
#include "support/fake_objects.h"

namespace berth {

// Where one watch stands in the log of its kind.
struct FakeWatch {
  FakeApiServer::Kind kind = FakeApiServer::Kind::kNodes;
  int64_t version = 0;  // events up to here are known to the client
  bool only_running = false;
  size_t position = 0;
  size_t opened_at = 0;  // entries before are history: of them only events count
};

// What a FakeApiServer knows, without HTTP. Thread-safe.
class FakeApiState {
 public:
  using Kind = FakeApiServer::Kind;
  using Answer = FakeApiServer::Answer;

  struct Page {
    std::string items;  // JSON objects, joined by commas
    int64_t version = 0;
    std::string last;  // key to go on after; empty: no more
  };

  int64_t Put(Kind kind, nlohmann::json object);
  bool Create(Kind kind, nlohmann::json& object);  // false when it exists; fills in what is missing
  bool Update(Kind kind, nlohmann::json& object);  // false when it does not exist
  bool Delete(Kind kind, const std::string& key);
  std::optional<std::string> Get(Kind kind, const std::string& key) const;
  size_t Count(Kind kind) const;
  int Bind(const std::string& pod, const std::string& node, const nlohmann::json& annotations);

  // nullopt when `version`, where an earlier page was taken, is too old. 0: no earlier page.
  std::optional<Page> List(Kind kind, int64_t version, const std::string& after, size_t limit,
                           bool only_running) const;

  // nullopt when the version is too old.
  std::optional<FakeWatch> OpenWatch(Kind kind, int64_t version, bool only_running);
  // Waits for the watch's next entry; nullopt when the server stops.
  std::optional<FakeObjects::Entry> NextEntry(FakeWatch& watch);

  void ReplaceSilently(Kind kind, std::vector<nlohmann::json> objects);
  void ForgetHistory();
  void Send(Kind kind, FakeObjects::Entry entry);
  void SendBookmark(Kind kind, int64_t version);
  void AnswerLists(Kind kind, std::optional<Answer> answer);
  void AnswerWatches(Kind kind, std::optional<Answer> answer);
  std::optional<Answer> ListAnswer(Kind kind) const;
  std::optional<Answer> WatchAnswer(Kind kind) const;

  void RequireToken(const std::string& token);
  // Takes down the request; false when it does not carry the token.
  bool Admit(const std::string& request, const std::string& authorization);
  void SetStopping(bool stopping);  // while true, open watches end

  std::vector<std::string> Requests() const;
  bool AwaitRequests(std::string_view text, int count) const;
  int Watches(Kind kind) const;
  bool AwaitWatches(Kind kind, int count) const;

 private:
  struct Resource {
    FakeObjects objects;
    int64_t oldest_version = 0;  // that a watch may start from
    int watches = 0;             // opened so far
    std::optional<Answer> list_answer, watch_answer;
  };

  Resource& Of(Kind kind) { return resources_[static_cast<size_t>(kind)]; }
  const Resource& Of(Kind kind) const { return resources_[static_cast<size_t>(kind)]; }
  void Complete(Kind kind, nlohmann::json& object);
  bool Await(const std::function<bool()>& condition) const;

  mutable std::mutex mutex_;
  mutable std::condition_variable changed_;
  std::array<Resource, 2> resources_;
  int64_t version_ = 1000;
  int64_t next_uid_ = 1;
  std::string token_;
  bool stopping_ = false;
  std::vector<std::string> requests_;
};

}  // namespace berth
