#include "support/fake_objects.h"

#include <utility>

namespace berth {
namespace {

using nlohmann::json;

bool HasTerminated(const json& object) {
  const std::string phase = object.value(json::json_pointer("/status/phase"), "");
  return phase == "Succeeded" || phase == "Failed";
}

}  // namespace

std::string FakeObjects::KeyOf(const json& object) {
  const std::string space = object.at("metadata").value("namespace", "");
  const std::string name = object.at("metadata").at("name");
  return space.empty() ? name : space + "/" + name;
}

FakeObjects::Object FakeObjects::Freeze(json object, int64_t version) {
  object["metadata"]["resourceVersion"] = std::to_string(version);
  return {.text = std::make_shared<const std::string>(object.dump()),
          .terminated = HasTerminated(object)};
}

void FakeObjects::Put(json object, int64_t version) {
  const std::string key = KeyOf(object);
  Object now = Freeze(std::move(object), version);
  const auto before = objects_.find(key);
  const bool existed = before != objects_.end();
  const bool ran = existed && !before->second.terminated;
  Entry entry = {.version = version, .type = existed ? "MODIFIED" : "ADDED", .text = now.text};
  if (ran) entry.type_among_running = now.terminated ? "DELETED" : "MODIFIED";
  if (!ran && !now.terminated) entry.type_among_running = "ADDED";
  objects_[key] = std::move(now);
  Send(std::move(entry));
}

void FakeObjects::Delete(const std::string& key, int64_t version) {
  const auto found = objects_.find(key);
  if (found == objects_.end()) return;
  const Object last = Freeze(json::parse(*found->second.text), version);
  objects_.erase(found);
  Send({.version = version,
        .type = "DELETED",
        .type_among_running = last.terminated ? "" : "DELETED",
        .text = last.text});
}

void FakeObjects::ReplaceSilently(std::vector<json> objects, int64_t version) {
  objects_.clear();
  for (json& object : objects) {
    const std::string key = KeyOf(object);
    objects_[key] = Freeze(std::move(object), version);
  }
}

const std::string* FakeObjects::Find(const std::string& key) const {
  const auto found = objects_.find(key);
  return found == objects_.end() ? nullptr : found->second.text.get();
}

std::string FakeObjects::Page(const std::string& after, size_t limit, bool only_running,
                              std::string& last) const {
  std::string items;
  size_t count = 0;
  last.clear();
  std::string key;
  for (auto object = objects_.upper_bound(after); object != objects_.end(); ++object) {
    if (only_running && object->second.terminated) continue;
    if (limit > 0 && count == limit) {
      last = key;
      break;
    }
    if (count++ > 0) items += ',';
    items += *object->second.text;
    key = object->first;
  }
  return items;
}

}  // namespace berth
