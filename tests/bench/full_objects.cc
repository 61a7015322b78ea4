#include "bench/full_objects.h"

#include <string>

namespace berth {

using nlohmann::json;

namespace {

// The "f:" tree in which the server notes who set which field.
json ManagedFields(const std::string& manager, int fields) {
  json tree = json::object();
  for (int i = 0; i < fields; ++i) tree["f:field-" + std::to_string(i)] = {{".", json::object()}};
  return {{"manager", manager},       {"operation", "Update"},
          {"apiVersion", "v1"},       {"time", "2026-01-01T00:00:00Z"},
          {"fieldsType", "FieldsV1"}, {"fieldsV1", {{"f:metadata", tree}, {"f:spec", tree}}}};
}

json Condition(const std::string& type) {
  return {{"type", type},
          {"status", type == "Ready" ? "True" : "False"},
          {"lastHeartbeatTime", "2026-01-01T00:00:00Z"},
          {"lastTransitionTime", "2026-01-01T00:00:00Z"},
          {"reason", "AsExpected"},
          {"message", "everything is as it should be"}};
}

json Conditions(std::initializer_list<const char*> types) {
  json conditions = json::array();
  for (const char* type : types) conditions.push_back(Condition(type));
  return conditions;
}

}  // namespace

void FillOutPod(json& pod) {
  json& container = pod["spec"]["containers"][0];
  for (int i = 0; i < 15; ++i) {
    container["env"].push_back(
        {{"name", "SETTING_" + std::to_string(i)}, {"value", "/data/run/value"}});
    container["args"].push_back("--option-" + std::to_string(i) + "=value");
  }
  for (const char* name : {"data", "shm", "kube-api-access"}) {
    container["volumeMounts"].push_back({{"name", name}, {"mountPath", "/mnt/volume"}});
    pod["spec"]["volumes"].push_back({{"name", name}, {"emptyDir", json::object()}});
  }
  pod["metadata"]["managedFields"] = {ManagedFields("kube-controller-manager", 20),
                                      ManagedFields("kubelet", 20)};
  pod["status"]["conditions"] =
      Conditions({"Initialized", "Ready", "ContainersReady", "PodScheduled"});
}

void FillOutNode(json& node) {
  for (int i = 0; i < 40; ++i) {
    node["metadata"]["labels"]["feature.node.kubernetes.io/cpu-" + std::to_string(i)] = "true";
    node["status"]["images"].push_back(
        {{"names", {"registry.example/image-" + std::to_string(i) + ":1"}},
         {"sizeBytes", 1 << 30}});
  }
  node["metadata"]["managedFields"] = {ManagedFields("kubelet", 30), ManagedFields("nfd", 60)};
  node["status"]["conditions"] =
      Conditions({"MemoryPressure", "DiskPressure", "PIDPressure", "Ready"});
}

}  // namespace berth
