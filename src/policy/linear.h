#pragma once

#include <string>
#include <vector>

#include "berth/features.h"
#include "berth/policy.h"

namespace berth {

// score = sum of weight * column, over named columns.
struct LinearPolicy {
  struct Term {
    std::string column;
    double weight = 0;
  };

  std::string name;
  std::vector<Term> terms;

  // REQUIRES: the columns exist and none comes twice.
  FeatureSchema Schema() const;
};

// Computes in double over the encoder's columns and rounds the sum to float.
ScorerPtr MakeLinearScorer(const LinearPolicy& policy);

}  // namespace berth
