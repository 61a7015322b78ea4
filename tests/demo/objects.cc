#include "demo/objects.h"

#include <string>

#include "facts/interpret.h"

namespace berth {
namespace {

using nlohmann::json;

std::string Milli(MilliCpu cpu) { return std::to_string(cpu.value()) + "m"; }
std::string Mebi(MiB memory) { return std::to_string(memory.value()) + "Mi"; }

}  // namespace

json NodeObject(const NodeSpec& node) {
  const std::string& name = node.name.value();
  json resources = {{"cpu", Milli(node.cpu)}, {"memory", Mebi(node.memory)}, {"pods", "110"}};
  resources[std::string(kGpuMilliResource)] = std::to_string((kWholeGpu * node.gpus).value());
  return {{"metadata",
           {{"name", name},
            {"labels",
             {{"kubernetes.io/hostname", name},
              {"kubernetes.io/arch", "amd64"},
              {"kubernetes.io/os", "linux"},
              {"nvidia.com/gpu.count", std::to_string(node.gpus)},
              {std::string(kGpuProductLabel), node.model.value()}}}}},
          {"spec", json::object()},
          {"status",
           {{"capacity", resources},
            {"allocatable", resources},
            {"conditions", {{{"type", "Ready"}, {"status", "True"}}}}}}};
}

json PodObject(const Pod& pod) {
  json requests = {{"cpu", Milli(pod.demand.cpu)}, {"memory", Mebi(pod.demand.memory)}};
  json limits = json::object();
  if (pod.demand.gpus > 0) {
    const std::string gpu = std::to_string(pod.demand.TotalGpu().value());
    requests[std::string(kGpuMilliResource)] = gpu;
    limits[std::string(kGpuMilliResource)] = gpu;
  }
  const size_t slash = pod.name.find('/');
  json object = {{"metadata",
                  {{"namespace", pod.name.substr(0, slash)},
                   {"name", pod.name.substr(slash + 1)},
                   {"uid", pod.uid.value()}}},
                 {"spec",
                  {{"schedulerName", "berth"},
                   {"containers",
                    {{{"name", "main"},
                      {"image", "registry.example/train:1"},
                      {"resources", {{"requests", requests}, {"limits", limits}}}}}}}},
                 {"status", {{"phase", "Pending"}}}};
  if (pod.node) {
    object["spec"]["nodeName"] = pod.node->value();
    object["status"]["phase"] = "Running";
  }
  return object;
}

}  // namespace berth
