#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/result.h"
#include "facts/facts.h"

namespace berth {

// What the watch lists: one kind per API path.
enum class ObjectKind { kNode, kPod };

// "node" or "pod"; for people and metrics.
std::string_view NameOf(ObjectKind kind);

// One page of a list.
struct ListPage {
  std::string version;         // of the list, to watch from
  std::string continue_token;  // empty: the last page
  std::vector<NodeFacts> nodes;
  std::vector<PodFacts> pods;        // those that have not terminated
  std::vector<std::string> skipped;  // why an object could not be read, one line each
};

// Errors: ABORTED when the text is no list.
Result<ListPage> ParseListPage(ObjectKind kind, std::string_view body);

// One line of a watch.
struct WatchEvent {
  std::string version;              // to resume from; empty: unchanged
  bool added = false;               // the object is new
  std::optional<FactEvent> change;  // nullopt: a bookmark, or the object was skipped
  std::string skipped;              // why the object could not be read; empty: it could
};

// Errors: OUT_OF_RANGE when the version watched from is too old (410 Gone); ABORTED for any other
// error event, an unknown type and what is no event at all. Both need a new list.
Result<WatchEvent> ParseWatchEvent(ObjectKind kind, std::string_view line);

}  // namespace berth
