#pragma once

#include <memory>
#include <span>
#include <string>

#include "berth/features.h"
#include "berth/policy.h"

namespace berth {

// What turns encoded placements into scores: the part in which policies over named columns differ.
// Implementations are safe to call from many threads at once.
class RowModel {
 public:
  virtual ~RowModel() = default;

  // Writes one score per row, higher is better; a row's score depends on that row and the context
  // only. `rows` and `context` are laid out as the schema's Encode functions do it.
  // REQUIRES: scores is not empty and rows.size() is scores.size() times the schema's columns.
  virtual Status Evaluate(std::span<const float> rows, std::span<const float> context,
                          std::span<float> scores) const = 0;
};

// A policy over named columns. Each distinct way of placing the pod is one row, equal nodes are
// encoded once, and all rows go to the model in one call; a node is as good as its best row.
// When a row of a node is not finite, neither is the node's score (see MakeFallbackScorer).
//
// ChooseGpus takes the best row on the score grid, ties to the lowest GPU index. It is asked
// without a cluster, so the model sees the context of an idle one. Where the model fails,
// the choice is ChooseGpusBestFit's.
ScorerPtr MakeRowScorer(std::string name, FeatureSchema schema,
                        std::unique_ptr<const RowModel> model);

}  // namespace berth
