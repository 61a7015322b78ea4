#pragma once

#include <cstddef>
#include <limits>
#include <span>

#include "base/rng.h"

namespace berth {

// Choosing among candidates by their logits, in log-space: a probability is only ever the
// exponential of a log-probability, so none overflows and what is masked is never drawn.

// The logit of a candidate that must not be chosen.
inline constexpr double kMasked = -std::numeric_limits<double>::infinity();

// The logit of a group of so many candidates that have the same logit. REQUIRES: count > 0.
double GroupLogit(double logit, size_t count);

// log(exp(logit) / sum of exp(logits)) of each; kMasked stays. False when all are masked: then
// there is nothing to choose from, and nothing is written. REQUIRES: none is NaN or +infinity; as
// many log-probabilities as logits, which may be the same memory.
[[nodiscard]] bool LogSoftmax(std::span<const double> logits, std::span<double> log_probabilities);

// -sum of p log p, where what is masked adds nothing; and its derivatives by the logits, which are
// added `times` over to `gradient`.
double Entropy(std::span<const double> log_probabilities);
void AddEntropyGradient(std::span<const double> log_probabilities, double times,
                        std::span<double> gradient);

// The derivatives of the log-probability of `chosen` by the logits, added `times` over.
void AddLogProbabilityGradient(std::span<const double> log_probabilities, size_t chosen,
                               double times, std::span<double> gradient);

// REQUIRES of both: not all are masked. Likeliest: of equal ones, the first.
size_t DrawCandidate(std::span<const double> log_probabilities, Rng& rng);
size_t Likeliest(std::span<const double> log_probabilities);

}  // namespace berth
