#pragma once

#include <cstddef>
#include <span>

namespace berth {

// Cross-entropy of one choice of an expert: -log p of the candidate it took. Adds the derivatives
// by the logits, `times` over, to `gradient`. REQUIRES: `chosen` is not masked.
double ImitationLoss(std::span<const double> log_probabilities, size_t chosen, double times,
                     std::span<double> gradient);

}  // namespace berth
