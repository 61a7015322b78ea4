#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <string>
#include <string_view>

#include "sim/living_history.h"
#include "sim/replay.h"

namespace berth {

// What was played, and what came of it.
struct Simulation {
  std::string_view policy;
  std::string_view queue;
  uint64_t seed = 0;
  const Replay& replay;
  const LivingHistory& history;
};

// For people: the GPUs in use over time, waits by size of job, and what could not be placed.
std::string SimulationText(const Simulation& simulation);

// For machines; docs/simulation.md describes it.
nlohmann::json SimulationJson(const Simulation& simulation);

}  // namespace berth
