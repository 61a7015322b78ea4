#pragma once

#include <cstddef>
#include <memory>
#include <span>
#include <vector>

#include "berth/result.h"
#include "learn/choice_learning.h"
#include "learn/cluster_critic.h"
#include "learn/packing_episodes.h"
#include "learn/packing_rollout.h"
#include "ppo/advantages.h"

namespace berth {

struct PackingPpoSettings {
  RolloutSettings rollout;
  ChoiceLearningSettings learning;
  // Of what comes at the next arrival. Trust is low: nearly all that is known about a choice is how
  // the expectation changed at it.
  Discounts discounts{.reward = 1, .trust = 0.9};
  double shaping = 0.5;      // of the growth of fragmentation, that counts as a loss at once
  double critic_keep = 0.8;  // of what the critic has learned from the updates before
};

// Whose parameters are learned, and where it plays to learn them.
struct PackingTeacher {
  std::shared_ptr<const LearnedPolicy> policy;
  const PackingEpisodes& episodes;
  const FeatureScales& scales;
  std::span<const WeightBlock> blocks;
  int threads = 1;
};

// An episode to learn from.
struct PackingLesson {
  size_t list = 0, order = 0;
  uint64_t seed = 0;  // of what is drawn in it
};

struct PackingPpoReport {
  double mean_return = 0;  // GPUs that failed, negative
  double explained_variance = 0;
  size_t choices = 0;  // that were learned from
  ChoiceLearningReport learning;
};

// What PPO of packing knows: the parameters of its blocks, and what goes with them.
struct PackingPpoState {
  std::vector<double> parameters;
  Adam<double>::State adam;
  ClusterCritic::State critic;

  bool operator==(const PackingPpoState&) const = default;
};
PackingPpoState InitialPackingPpo(size_t blocks);

// What the lessons come to, in their order. Where an expert is given, that one leads.
Result<std::vector<PackingRollout>> PlayLessons(const PackingTeacher& teacher,
                                                const std::vector<PackingLesson>& lessons,
                                                const RolloutSettings& settings,
                                                const SimPolicy* expert);

// One update: plays the lessons with the policy, whose parameters are those of the state, and
// learns from them; every GPU that is asked for and not given is a loss of 1. Any number of threads
// gives the same. Errors: those of the simulation; INTERNAL that names what is not finite.
//
// Source: PPO (learn/ppo.h) with potential-based shaping (Ng, Harada and Russell, "Policy
// invariance under reward transformations", ICML 1999).
Result<PackingPpoReport> UpdatePackingPpo(const PackingTeacher& teacher,
                                          const std::vector<PackingLesson>& lessons,
                                          const PackingPpoSettings& settings, double rate, Rng& rng,
                                          PackingPpoState& state);

}  // namespace berth
