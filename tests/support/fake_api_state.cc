#include "support/fake_api_state.h"

#include <algorithm>
#include <chrono>
#include <utility>

namespace berth {

using nlohmann::json;

int64_t FakeApiState::Put(Kind kind, json object) {
  const std::lock_guard lock(mutex_);
  Complete(kind, object);
  Of(kind).objects.Put(std::move(object), ++version_);
  changed_.notify_all();
  return version_;
}

bool FakeApiState::Create(Kind kind, json& object) {
  const std::lock_guard lock(mutex_);
  Complete(kind, object);
  if (Of(kind).objects.Find(FakeObjects::KeyOf(object)) != nullptr) return false;
  Of(kind).objects.Put(object, ++version_);
  changed_.notify_all();
  return true;
}

bool FakeApiState::Update(Kind kind, json& object) {
  const std::lock_guard lock(mutex_);
  Complete(kind, object);
  if (Of(kind).objects.Find(FakeObjects::KeyOf(object)) == nullptr) return false;
  Of(kind).objects.Put(object, ++version_);
  changed_.notify_all();
  return true;
}

bool FakeApiState::Delete(Kind kind, const std::string& key) {
  const std::lock_guard lock(mutex_);
  if (Of(kind).objects.Find(key) == nullptr) return false;
  Of(kind).objects.Delete(key, ++version_);
  changed_.notify_all();
  return true;
}

std::optional<std::string> FakeApiState::Get(Kind kind, const std::string& key) const {
  const std::lock_guard lock(mutex_);
  const std::string* text = Of(kind).objects.Find(key);
  return text == nullptr ? std::nullopt : std::optional(*text);
}

size_t FakeApiState::Count(Kind kind) const {
  const std::lock_guard lock(mutex_);
  return Of(kind).objects.size();
}

int FakeApiState::Bind(const std::string& pod, const std::string& node, const json& annotations) {
  const std::lock_guard lock(mutex_);
  FakeObjects& pods = Of(Kind::kPods).objects;
  const std::string* text = pods.Find(pod);
  if (text == nullptr) return 404;
  json object = json::parse(*text);
  if (!object["spec"].value("nodeName", "").empty()) return 409;
  object["spec"]["nodeName"] = node;
  for (const auto& [key, value] : annotations.items()) {
    object["metadata"]["annotations"][key] = value;
  }
  pods.Put(std::move(object), ++version_);
  changed_.notify_all();
  return 201;
}

std::optional<FakeApiState::Page> FakeApiState::List(Kind kind, int64_t version,
                                                     const std::string& after, size_t limit,
                                                     bool only_running) const {
  const std::lock_guard lock(mutex_);
  const Resource& resource = Of(kind);
  if (version != 0 && version < resource.oldest_version) return std::nullopt;
  // Later pages show later objects under the first page's version: a watch from there repeats some
  // changes, which does no harm.
  Page page = {.version = version != 0 ? version : version_};
  page.items = resource.objects.Page(after, limit, only_running, page.last);
  return page;
}

std::optional<FakeWatch> FakeApiState::OpenWatch(Kind kind, int64_t version, bool only_running) {
  const std::lock_guard lock(mutex_);
  Resource& resource = Of(kind);
  if (version < resource.oldest_version) return std::nullopt;
  ++resource.watches;
  changed_.notify_all();
  return FakeWatch{.kind = kind,
                   .version = version,
                   .only_running = only_running,
                   .opened_at = resource.objects.log_size()};
}

std::optional<FakeObjects::Entry> FakeApiState::NextEntry(FakeWatch& watch) {
  std::unique_lock lock(mutex_);
  const FakeObjects& objects = Of(watch.kind).objects;
  while (true) {
    changed_.wait(lock, [&] { return stopping_ || watch.position < objects.log_size(); });
    if (stopping_) return std::nullopt;
    const bool history = watch.position < watch.opened_at;
    FakeObjects::Entry entry = objects.entry(watch.position++);
    if (entry.what != FakeObjects::Entry::What::kEvent) {
      if (!history) return entry;
      continue;
    }
    if (watch.only_running) entry.type = entry.type_among_running;
    if (entry.version > watch.version && !entry.type.empty()) return entry;
  }
}

void FakeApiState::ReplaceSilently(Kind kind, std::vector<json> objects) {
  const std::lock_guard lock(mutex_);
  for (json& object : objects) Complete(kind, object);
  Of(kind).objects.ReplaceSilently(std::move(objects), ++version_);
  Of(kind).oldest_version = version_;
}

void FakeApiState::ForgetHistory() {
  const std::lock_guard lock(mutex_);
  ++version_;
  for (Resource& resource : resources_) resource.oldest_version = version_;
}

void FakeApiState::Send(Kind kind, FakeObjects::Entry entry) {
  const std::lock_guard lock(mutex_);
  Of(kind).objects.Send(std::move(entry));
  changed_.notify_all();
}

void FakeApiState::SendBookmark(Kind kind, int64_t version) {
  const json bookmark = {{"type", "BOOKMARK"},
                         {"object",
                          {{"kind", kind == Kind::kNodes ? "Node" : "Pod"},
                           {"apiVersion", "v1"},
                           {"metadata", {{"resourceVersion", std::to_string(version)}}}}}};
  const std::lock_guard lock(mutex_);
  version_ = std::max(version_, version);
  Of(kind).objects.Send({.what = FakeObjects::Entry::What::kBytes,
                         .text = std::make_shared<const std::string>(bookmark.dump() + "\n")});
  changed_.notify_all();
}

void FakeApiState::AnswerLists(Kind kind, std::optional<Answer> answer) {
  const std::lock_guard lock(mutex_);
  Of(kind).list_answer = std::move(answer);
}

void FakeApiState::AnswerWatches(Kind kind, std::optional<Answer> answer) {
  const std::lock_guard lock(mutex_);
  Of(kind).watch_answer = std::move(answer);
}

std::optional<FakeApiState::Answer> FakeApiState::ListAnswer(Kind kind) const {
  const std::lock_guard lock(mutex_);
  return Of(kind).list_answer;
}

std::optional<FakeApiState::Answer> FakeApiState::WatchAnswer(Kind kind) const {
  const std::lock_guard lock(mutex_);
  return Of(kind).watch_answer;
}

void FakeApiState::RequireToken(const std::string& token) {
  const std::lock_guard lock(mutex_);
  token_ = token;
}

bool FakeApiState::Admit(const std::string& request, const std::string& authorization) {
  const std::lock_guard lock(mutex_);
  requests_.push_back(request);
  changed_.notify_all();
  return token_.empty() || authorization == "Bearer " + token_;
}

void FakeApiState::SetStopping(bool stopping) {
  const std::lock_guard lock(mutex_);
  stopping_ = stopping;
  changed_.notify_all();
}

std::vector<std::string> FakeApiState::Requests() const {
  const std::lock_guard lock(mutex_);
  return requests_;
}

bool FakeApiState::AwaitRequests(std::string_view text, int count) const {
  return Await([&] {
    return std::count_if(requests_.begin(), requests_.end(), [&](const std::string& request) {
             return request.find(text) != std::string::npos;
           }) >= count;
  });
}

int FakeApiState::Watches(Kind kind) const {
  const std::lock_guard lock(mutex_);
  return Of(kind).watches;
}

bool FakeApiState::AwaitWatches(Kind kind, int count) const {
  return Await([&] { return Of(kind).watches >= count; });
}

void FakeApiState::Complete(Kind kind, json& object) {
  const bool is_pod = kind == Kind::kPods;
  object["apiVersion"] = "v1";
  object["kind"] = is_pod ? "Pod" : "Node";
  json& metadata = object["metadata"];
  if (!object.contains("spec")) object["spec"] = json::object();
  if (is_pod && !object["status"].contains("phase")) object["status"]["phase"] = "Pending";
  if (is_pod && !metadata.contains("namespace")) metadata["namespace"] = "default";
  if (metadata.contains("uid")) return;
  const std::string* known = Of(kind).objects.Find(FakeObjects::KeyOf(object));
  metadata["uid"] = known != nullptr ? json::parse(*known)["metadata"]["uid"]
                                     : json("uid-" + std::to_string(next_uid_++));
}

bool FakeApiState::Await(const std::function<bool()>& condition) const {
  constexpr std::chrono::seconds kPatience(30);
  std::unique_lock lock(mutex_);
  return changed_.wait_for(lock, kPatience, condition);
}

}  // namespace berth
