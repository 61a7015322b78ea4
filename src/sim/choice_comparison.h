#pragma once

#include <array>
#include <cstdint>

#include "base/rng.h"
#include "berth/result.h"
#include "sim/event_order.h"
#include "sim/job_size.h"
#include "sim/sim_policy.h"
#include "sim/trace.h"

namespace berth {

// How often two policies choose differently.
struct ChoiceCount {
  int64_t decisions = 0;
  int64_t differ = 0;

  void Add(bool differs) {
    ++decisions;
    differ += differs;
  }
};

inline constexpr size_t kLoadTenths = 10;

struct ChoiceComparison {
  ChoiceCount all;
  std::array<ChoiceCount, kJobSizes> by_size;
  std::array<ChoiceCount, kLoadTenths> by_load;  // tenths of all GPUs in use before
};

// Packs the pods as `first` says, as RunPacking() does, and asks `second` about each in the same
// state; pods that fit nowhere are not counted. Nodes that are alike in model, size and what is
// free are one choice. Adds to `comparison`. Errors: those of the policies.
Status CompareChoices(const SimPolicy& first, const SimPolicy& second, const Trace& trace,
                      const EventOrder& order, Rng& rng, ChoiceComparison& comparison);

}  // namespace berth
