#include "extender/extender_reply.h"

#include <nlohmann/json.hpp>

namespace berth {
namespace {

using nlohmann::json;

std::string Dump(const json& value) {
  return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

}  // namespace

std::string ToJson(const FilterReply& reply) {
  return Dump({{"Nodes", nullptr},
               {"NodeNames", reply.node_names},
               {"FailedNodes", reply.failed},
               {"FailedAndUnresolvableNodes", reply.failed_and_unresolvable},
               {"Error", reply.error}});
}

std::string ToJson(std::span<const HostPriority> priorities) {
  json list = json::array();
  for (const HostPriority& priority : priorities) {
    list.push_back({{"Host", priority.host}, {"Score", priority.score}});
  }
  return Dump(list);
}

}  // namespace berth
