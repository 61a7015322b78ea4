#include "extender/extender_reply.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string_view>

namespace berth {
namespace {

bool IsPlain(unsigned char c) { return c >= 0x20 && c < 0x7f && c != '"' && c != '\\'; }

// Thousands of node names go by here with each request, and nearly all of them are plain.
void AppendQuoted(std::string& json, const std::string& text) {
  if (std::ranges::all_of(text, IsPlain)) {
    json.append("\"").append(text).append("\"");
  } else {
    json += nlohmann::json(text).dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
  }
}

void AppendReasons(std::string& json, const FilterReply::Reasons& reasons) {
  std::string_view separator = "{";
  for (const auto& [node, reason] : reasons) {
    json += separator;
    AppendQuoted(json, node);
    json += ":";
    AppendQuoted(json, reason);
    separator = ",";
  }
  json += reasons.empty() ? "{}" : "}";
}

}  // namespace

std::string ToJson(const FilterReply& reply) {
  std::string json = R"({"Nodes":null,"NodeNames":[)";
  for (const std::string& name : reply.node_names) {
    if (json.back() != '[') json += ",";
    AppendQuoted(json, name);
  }
  json += R"(],"FailedNodes":)";
  AppendReasons(json, reply.failed);
  json += R"(,"FailedAndUnresolvableNodes":)";
  AppendReasons(json, reply.failed_and_unresolvable);
  json += R"(,"Error":)";
  AppendQuoted(json, reply.error);
  return json += "}";
}

std::string ToJson(std::span<const HostPriority> priorities) {
  std::string json = "[";
  for (const HostPriority& priority : priorities) {
    json += json.size() == 1 ? R"({"Host":)" : R"(,{"Host":)";
    AppendQuoted(json, priority.host);
    json.append(R"(,"Score":)").append(std::to_string(priority.score)).append("}");
  }
  return json += "]";
}

}  // namespace berth
