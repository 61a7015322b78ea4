#pragma once

#include <nlohmann/json.hpp>

namespace berth {

// Adds what a real API server shows beside the fields that Berth reads, in the usual amount: some
// 4 KB per pod and 10 KB per node of environment, volumes, conditions, images, managed fields.
void FillOutPod(nlohmann::json& pod);
void FillOutNode(nlohmann::json& node);

}  // namespace berth
