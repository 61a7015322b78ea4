#pragma once

#include <memory>

#include "berth/features.h"
#include "berth/result.h"
#include "learn/training.h"
#include "policy/feature_ranges.h"
#include "policy/learned_policy.h"

namespace berth {

// What the columns of the schema held wherever the policy placed a pod, in the first order of every
// list that it was trained on. So a column is within its range as long as a cluster is like those.
// Plays on so many threads. Errors: the simulation's.
Result<FeatureRanges> RangesSeen(const LearnedPolicy& policy, const FeatureSchema& schema,
                                 const TrainingData& data, int threads);

}  // namespace berth
