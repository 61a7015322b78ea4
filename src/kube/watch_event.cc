#include "kube/watch_event.h"

#include <utility>

#include "base/log.h"
#include "kube/json_fields.h"
#include "kube/object_facts.h"

namespace berth {

using nlohmann::json;

namespace {

constexpr int kGone = 410;  // HTTP's status, also inside a stream

// Says which object it was, as far as that can be told.
std::string Skipped(const json& object, const Status& why) {
  Status ignored;
  const JsonFields metadata = JsonFields(object, "", ignored).Object("metadata");
  return Quoted(metadata.Text("namespace") + "/" + metadata.Text("name")) + ": " +
         std::string(why.message());
}

std::string VersionOf(const JsonFields& object) {
  return object.Object("metadata").Text("resourceVersion");
}

void AddTo(ListPage& page, ObjectKind kind, const json& item) {
  if (kind == ObjectKind::kNode) {
    Result<NodeFacts> node = NodeFactsFrom(item);
    node.ok() ? page.nodes.push_back(*std::move(node))
              : page.skipped.push_back(Skipped(item, node.status()));
  } else if (!HasTerminated(item)) {
    Result<PodFacts> pod = PodFactsFrom(item);
    pod.ok() ? page.pods.push_back(*std::move(pod))
             : page.skipped.push_back(Skipped(item, pod.status()));
  }
}

// What is gone needs no more than its key, so that nothing odd in the rest can keep it alive.
Result<FactEvent> GoneFrom(ObjectKind kind, const json& object) {
  Status status;
  const JsonFields metadata = JsonFields(object, "", status).Object("metadata");
  const char* field = kind == ObjectKind::kNode ? "name" : "uid";
  std::string key = metadata.Text(field);
  if (!status.ok()) return status;
  if (key.empty()) return absl::InvalidArgumentError(std::string("no metadata.") + field);
  if (kind == ObjectKind::kNode) return NodeGone{std::move(key)};
  return PodGone{std::move(key)};
}

Result<FactEvent> ChangeFrom(ObjectKind kind, const json& object) {
  if (kind == ObjectKind::kNode) {
    Result<NodeFacts> node = NodeFactsFrom(object);
    if (!node.ok()) return node.status();
    return *std::move(node);
  }
  if (HasTerminated(object)) return GoneFrom(kind, object);
  Result<PodFacts> pod = PodFactsFrom(object);
  if (!pod.ok()) return pod.status();
  return *std::move(pod);
}

Status ErrorFrom(const JsonFields& object) {
  const int code = object.Int32("code");
  const std::string message =
      "the API server says " + std::to_string(code) + ": " + object.Text("message");
  return code == kGone ? absl::OutOfRangeError(message) : absl::AbortedError(message);
}

}  // namespace

std::string_view NameOf(ObjectKind kind) { return kind == ObjectKind::kNode ? "node" : "pod"; }

Result<ListPage> ParseListPage(ObjectKind kind, std::string_view body) {
  const Result<json> parsed = ParseJson(body);
  if (!parsed.ok()) return absl::AbortedError(parsed.status().message());
  Status status;
  const JsonFields list(*parsed, "", status);
  ListPage page = {.version = VersionOf(list),
                   .continue_token = list.Object("metadata").Text("continue")};
  for (const json& item : list.Array("items")) AddTo(page, kind, item);
  if (!status.ok()) return absl::AbortedError(status.message());
  if (page.version.empty()) return absl::AbortedError("list without metadata.resourceVersion");
  return page;
}

Result<WatchEvent> ParseWatchEvent(ObjectKind kind, std::string_view line) {
  const Result<json> parsed = ParseJson(line);
  if (!parsed.ok()) return absl::AbortedError(parsed.status().message());
  Status status;
  const JsonFields fields(*parsed, "", status);
  const std::string type = fields.Text("type");
  const JsonFields object = fields.Object("object");
  if (!status.ok()) return absl::AbortedError(status.message());
  if (type == "ERROR") return ErrorFrom(object);
  WatchEvent event = {.version = VersionOf(object), .added = type == "ADDED"};
  if (type == "BOOKMARK") return event;
  const bool deleted = type == "DELETED";
  if (!event.added && !deleted && type != "MODIFIED") {
    return absl::AbortedError("unknown type of event: " + Quoted(type));
  }
  Result<FactEvent> change =
      deleted ? GoneFrom(kind, object.members()) : ChangeFrom(kind, object.members());
  if (change.ok()) {
    event.change = *std::move(change);
  } else {
    event.skipped = Skipped(object.members(), change.status());
  }
  return event;
}

}  // namespace berth
