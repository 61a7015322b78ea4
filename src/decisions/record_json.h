#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "berth/result.h"
#include "decisions/decision_record.h"

namespace berth {

// The parts of a record that have parts themselves, as JSON for a column of text. Whoever looks
// into the database with other tools reads these:
//
//   demand   {"cpu_milli":4000,"memory_mib":16384,"gpus":1,"gpu_milli":500,"managed":true,
//             "models":["A100"]}
//   classes  {"shapes":[{"cpu_milli":..,"memory_mib":..,"gpus":4,"gpu_memory_mib":..,
//                        "managed":true,"model":"A100"}],
//             "classes":[[SHAPE, NODES, "EXAMPLE", SCORE, CPU_MILLI, MEMORY_MIB, [GPU_MILLI,...]]]}
//             where SHAPE is a position in "shapes" and the last three are what is free
//   fleet    {"cpu_milli":..,"gpu_milli":{"A100":..}}
//   gpus     [0,3]
//
// Errors of the Parse functions: INVALID_ARGUMENT that names the field and what would be right.

std::string DemandJson(const Demand& demand);
Result<Demand> ParseDemand(std::string_view json);

std::string ClassesJson(const std::vector<CandidateClass>& classes);
Result<std::vector<CandidateClass>> ParseClasses(std::string_view json);

std::string FleetJson(const Fleet& fleet);
Result<Fleet> ParseFleet(std::string_view json);

std::string GpusJson(const GpuSet& gpus);
Result<GpuSet> ParseGpus(std::string_view json);

}  // namespace berth
