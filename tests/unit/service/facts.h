#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "berth/v1/facts.pb.h"

namespace berth {

// A node with `gpus` GPUs of which Berth hands out thousandths, `cores` cores and 64 GiB.
inline v1::NodeFacts ManagedNode(const std::string& name, int64_t cores, int64_t gpus) {
  v1::NodeFacts node;
  node.set_name(name);
  (*node.mutable_allocatable())["cpu"] = cores * 1000;
  (*node.mutable_allocatable())["memory"] = int64_t{64} << 30;
  if (gpus > 0) (*node.mutable_allocatable())["berth.dev/gpu-milli"] = gpus * 1000;
  (*node.mutable_labels())["nvidia.com/gpu.product"] = "NVIDIA-A100-SXM4-80GB";
  return node;
}

// A pod called "ml/UID" that asks for `cores` cores, 1 GiB and `milli` thousandths of GPUs.
inline v1::PodFacts ManagedPod(const std::string& uid, int64_t cores, int64_t milli,
                               const std::string& node = "") {
  v1::PodFacts pod;
  pod.set_uid(uid);
  pod.set_namespace_("ml");
  pod.set_name(uid);
  (*pod.mutable_requests())["cpu"] = cores * 1000;
  (*pod.mutable_requests())["memory"] = int64_t{1} << 30;
  if (milli > 0) (*pod.mutable_requests())["berth.dev/gpu-milli"] = milli;
  pod.set_node_name(node);
  return pod;
}

template <class Request>
Request AskAbout(const v1::PodFacts& pod, const std::vector<std::string>& names) {
  Request request;
  *request.mutable_pod() = pod;
  request.mutable_node_names()->Add(names.begin(), names.end());
  return request;
}

}  // namespace berth
