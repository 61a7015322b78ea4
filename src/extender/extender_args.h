#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/result.h"
#include "facts/facts.h"

namespace berth {

// What kube-scheduler asks an extender: where may, or should, this pod go?
// Source: ExtenderArgs in kube-scheduler's extender/v1, whose wire names are Go field names.
struct ExtenderArgs {
  PodFacts pod;
  // Each name once, in the order of the request. nullopt: null or missing.
  std::optional<std::vector<std::string>> node_names;
  // Whole Node objects came (nodeCacheCapable: false). They are skipped.
  bool full_nodes = false;
};

// Reads a request body. Keys of the outer object may be written in any case, as Go reads them.
// Bounded whatever the bytes: 64 levels deep, 200,000 values.
// Errors: INVALID_ARGUMENT that names the field and what would be right, in valid UTF-8.
Result<ExtenderArgs> ParseExtenderArgs(std::string_view body);

}  // namespace berth
