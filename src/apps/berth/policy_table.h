#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "rpc/policy_listing.h"

namespace berth {

// For people: who answers and how it does, what else there is, and what rollout.yaml says.
std::string PolicyTable(const PolicyListing& listing);

// For scripts: everything. Times are in milliseconds, regret is a share (0.005 is 0.5 %).
nlohmann::ordered_json PolicyListingJson(const PolicyListing& listing);

}  // namespace berth
