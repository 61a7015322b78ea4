// A request's body -> arguments -> an answer about them. Whatever the bytes: either an error in
// UTF-8 that names what is wrong, or arguments whose answer is JSON that holds the names unchanged.

#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "extender/extender_args.h"
#include "extender/extender_reply.h"
#include "property.h"

namespace berth {
namespace {

using nlohmann::json;

// Every third name passes; the others fail for what the body holds itself.
FilterReply Split(const ExtenderArgs& args) {
  FilterReply reply{.error = args.pod.name};
  for (size_t i = 0; i < args.node_names->size(); ++i) {
    const std::string& name = (*args.node_names)[i];
    if (i % 3 == 0) reply.node_names.push_back(name);
    if (i % 3 == 1) reply.failed.emplace_back(name, args.pod.unreadable);
    if (i % 3 == 2) reply.failed_and_unresolvable.emplace_back(name, args.pod.uid);
  }
  return reply;
}

void CheckFilter(const FilterReply& reply) {
  const json parsed = json::parse(ToJson(reply));
  BERTH_CHECK(parsed["NodeNames"] == json(reply.node_names), "names are kept");
  BERTH_CHECK(parsed["Error"] == reply.error, "the error is kept");
  for (const auto& [node, reason] : reply.failed) {
    BERTH_CHECK(parsed["FailedNodes"][node] == reason, "reasons are kept");
  }
  for (const auto& [node, reason] : reply.failed_and_unresolvable) {
    BERTH_CHECK(parsed["FailedAndUnresolvableNodes"][node] == reason, "reasons are kept");
  }
}

void CheckPrioritize(const std::vector<std::string>& names) {
  std::vector<HostPriority> priorities;
  for (const std::string& name : names) {
    priorities.push_back({.host = name, .score = static_cast<int64_t>(priorities.size() % 11)});
  }
  const json parsed = json::parse(ToJson(priorities));
  BERTH_CHECK(parsed.size() == priorities.size(), "a score for each");
  for (size_t i = 0; i < priorities.size(); ++i) {
    BERTH_CHECK(parsed[i]["Host"] == names[i], "names are kept");
    BERTH_CHECK(parsed[i]["Score"] == priorities[i].score, "scores are kept");
  }
}

void Check(std::string_view body) {
  const Result<ExtenderArgs> args = ParseExtenderArgs(body);
  if (!args.ok()) {
    BERTH_CHECK(args.status().code() == absl::StatusCode::kInvalidArgument, "the caller's fault");
    BERTH_CHECK(!args.status().message().empty(), "it says why");
    BERTH_CHECK(IsUtf8(std::string(args.status().message())), "in UTF-8");
    return;
  }
  BERTH_CHECK(json::accept(body), "what is taken is JSON");
  BERTH_CHECK(!args->pod.name.empty() && !args->pod.uid.empty(), "a pod has a name and a UID");
  if (!args->node_names) return;
  const std::set<std::string> distinct(args->node_names->begin(), args->node_names->end());
  BERTH_CHECK(distinct.size() == args->node_names->size(), "each name once");
  CheckFilter(Split(*args));
  CheckPrioritize(*args->node_names);
}

}  // namespace
}  // namespace berth

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  berth::Check(std::string_view(reinterpret_cast<const char*>(data), size));
  return 0;
}
