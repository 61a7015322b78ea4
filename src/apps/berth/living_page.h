#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "sim/living_suite.h"

namespace berth {

// What kLivingPage shows:
//
// {"version", "seeds": how many, "policies": [name], "sizes": [name of a JobSize],
//  "settings": [{"queue", "load", "policies": [{"allocated", "wait", "still_waiting",
//                "waits": [one for each size]}]}]}
//
// Every number is {"mean", "least", "most", "difference", "error"} over the seeds: allocated in
// percent of the GPUs, waits in mean lifetimes; the difference is that to fgd on the same seeds,
// and null where there are none. REQUIRES: there are runs, of the same policies in each setting.
nlohmann::json LivingPageData(const std::vector<LivingSuiteRun>& runs);

}  // namespace berth
