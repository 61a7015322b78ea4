#include "kube/object_facts.h"

#include <string>

#include "facts/interpret.h"
#include "kube/json_fields.h"
#include "kube/pod_requests.h"

namespace berth {

using nlohmann::json;

namespace {

Status Missing(std::string_view kind, std::string_view field) {
  return absl::InvalidArgumentError(std::string(kind) + " without " + std::string(field));
}

// An amount that cannot be read is none: better a node that looks too small than too large.
ResourceFacts ReadAllocatable(const JsonFields& amounts) {
  ResourceFacts allocatable;
  for (const auto& [resource, value] : amounts.members().items()) {
    const Result<int64_t> amount = ReadAmount(resource, value);
    if (amount.ok()) allocatable[resource] = *amount;
  }
  return allocatable;
}

bool IsReady(const JsonFields& status) {
  for (const JsonFields& condition : status.Objects("conditions")) {
    if (condition.Text("type") != "Ready") continue;
    const std::string value = condition.Text("status");
    return value != "False" && value != "Unknown";
  }
  return true;
}

std::string ControllerOf(const JsonFields& metadata) {
  for (const JsonFields& owner : metadata.Objects("ownerReferences")) {
    if (owner.Flag("controller")) return owner.Text("kind") + "/" + owner.Text("name");
  }
  return "";
}

}  // namespace

Result<NodeFacts> NodeFactsFrom(const json& node) {
  Status status;
  const JsonFields root(node, "", status);
  const JsonFields metadata = root.Object("metadata");
  const NodeFacts facts = {
      .name = metadata.Text("name"),
      .allocatable = ReadAllocatable(root.Object("status").Object("allocatable")),
      .labels = metadata.Texts("labels", IsRelevantLabel),
      .annotations = metadata.Texts("annotations", IsRelevantAnnotation),
      .ready = IsReady(root.Object("status")),
      .unschedulable = root.Object("spec").Flag("unschedulable"),
  };
  if (!status.ok()) return status;
  if (facts.name.empty()) return Missing("node", "metadata.name");
  return facts;
}

Result<PodFacts> PodFactsFrom(const json& pod) {
  Status status;
  const JsonFields root(pod, "", status);
  const JsonFields metadata = root.Object("metadata");
  const JsonFields spec = root.Object("spec");
  PodRequests requests = SumRequests(root);
  const PodFacts facts = {
      .uid = metadata.Text("uid"),
      .namespace_name = metadata.Text("namespace"),
      .name = metadata.Text("name"),
      .requests = std::move(requests.sum),
      .annotations = metadata.Texts("annotations", IsRelevantAnnotation),
      .priority = spec.Int32("priority"),
      .owner = ControllerOf(metadata),
      .node_name = spec.Text("nodeName"),
      .unreadable = std::move(requests.unreadable),
  };
  if (!status.ok()) return status;
  if (facts.name.empty()) return Missing("pod", "metadata.name");
  if (facts.uid.empty()) return Missing("pod", "metadata.uid");
  return facts;
}

bool HasTerminated(const json& pod) {
  Status status;
  const std::string phase = JsonFields(pod, "", status).Object("status").Text("phase");
  return phase == "Succeeded" || phase == "Failed";
}

}  // namespace berth
