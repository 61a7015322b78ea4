#pragma once

#include <nlohmann/json.hpp>

#include "berth/node.h"
#include "berth/pod.h"

namespace berth {

// Kubernetes objects, as the API server would show them: a managed node with the labels that node
// feature discovery sets, and a pod of one container, pending or running.
nlohmann::json NodeObject(const NodeSpec& node);
nlohmann::json PodObject(const Pod& pod);

}  // namespace berth
