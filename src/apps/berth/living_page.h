#pragma once

#include <nlohmann/json_fwd.hpp>
#include <vector>

#include "sim/living_suite.h"

namespace berth {

// What kLivingPage shows:
//
// {"version", "seeds": how many, "warm_up" and "horizon" in mean lifetimes,
//  "policies": [name], "sizes": [name of a JobSize],
//  "settings": [{"queue", "load", "steady", "policies": [{"allocated", "wait", "still_waiting",
//                "waits": [one for each size]}]}]}
//
// Every number is {"mean", "least", "most", "best", "difference", "error"} over the seeds:
// allocated in percent of the GPUs, waits in mean lifetimes; the difference is that to the best
// heuristic in this number (apps/berth/living_comparison.h), and null where none ran. REQUIRES:
// there are runs, of the same policies in each setting.
nlohmann::json LivingPageData(const std::vector<LivingSuiteRun>& runs);

}  // namespace berth
