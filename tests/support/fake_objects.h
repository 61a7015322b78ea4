#pragma once

#include <cstdint>
#include <deque>
#include <map>
#include <memory>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace berth {

// One kind of objects of a FakeApiServer: their latest state as text, and the log of what happened,
// from which watches are served. Not thread-safe.
class FakeObjects {
 public:
  // What an open watch is given next.
  struct Entry {
    enum class What { kEvent, kBytes, kEnd, kBreak };
    What what = What::kEvent;
    int64_t version = 0;                      // of an event
    std::string type;                         // of an event: "ADDED", "MODIFIED", "DELETED"
    std::string type_among_running;           // for a watch without terminated pods; empty: nothing
    std::shared_ptr<const std::string> text;  // the object as JSON, or bytes to send as they are
    std::vector<size_t> cuts;                 // of bytes: where one chunk ends and the next begins
  };

  // "namespace/name", or "name" for nodes.
  static std::string KeyOf(const nlohmann::json& object);

  // Creates or changes an object; `version` becomes its resourceVersion.
  void Put(nlohmann::json object, int64_t version);
  void Delete(const std::string& key, int64_t version);
  // Other objects from one moment to the next, with nothing in the log.
  void ReplaceSilently(std::vector<nlohmann::json> objects, int64_t version);
  // Something for the watches that are open now.
  void Send(Entry entry) { log_.push_back(std::move(entry)); }

  const std::string* Find(const std::string& key) const;  // null when there is none
  size_t size() const { return objects_.size(); }

  // A page of up to `limit` objects (0: all) after the key `after`, joined by commas. `last` is set
  // to the last key when there are more, else to "".
  std::string Page(const std::string& after, size_t limit, bool only_running,
                   std::string& last) const;

  // Entries from `position` on; both ends stay where they are as the log grows.
  const Entry& entry(size_t position) const { return log_[position]; }
  size_t log_size() const { return log_.size(); }

 private:
  struct Object {
    std::shared_ptr<const std::string> text;
    bool terminated = false;
  };

  static Object Freeze(nlohmann::json object, int64_t version);

  std::map<std::string, Object> objects_;
  std::deque<Entry> log_;
};

}  // namespace berth
