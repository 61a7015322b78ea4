#pragma once

#include <memory>

#include "ppo/environment.h"

namespace berth {

// The toy cluster (sim/toy_cluster.h): a state is its numbers, an action the node that the job that
// waits goes to, a reward what the job fills of it.
std::unique_ptr<Environment> MakeToyEnvironment();

}  // namespace berth
