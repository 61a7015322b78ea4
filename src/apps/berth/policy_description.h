#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "torch/policy_file.h"

namespace berth {

// A policy file in words: what it is, what it reads, what it was made of, how good it was found.
std::string DescribePolicy(const PolicyFile& file);

// The manifest, and what it does not say: the size of policy.pt, unit and meaning of the columns.
nlohmann::ordered_json PolicyAsJson(const PolicyFile& file);

}  // namespace berth
