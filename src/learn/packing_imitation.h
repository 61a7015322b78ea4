#pragma once

#include <vector>

#include "learn/packing_ppo.h"

namespace berth {

// One update of imitation: the expert plays the lessons, and the policy learns to choose the nodes
// that it took. Of the state, the critic stays as it is. The report has no explained variance.
// Errors: as of UpdatePackingPpo.
Result<PackingPpoReport> ImitateInPacking(const PackingTeacher& teacher,
                                          const std::vector<PackingLesson>& lessons,
                                          const SimPolicy& expert, double temperature, double rate,
                                          Rng& rng, PackingPpoState& state);

}  // namespace berth
