#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace berth {

// Steps in environments, as a net learns from them: of each what was seen, what was done, and how
// it turned out.
struct NetSteps {
  size_t numbers_each = 0, actions_each = 0;
  std::vector<float> numbers;               // of the states, one after another
  std::vector<uint8_t> possible;            // 1 for every action that could be chosen
  std::vector<size_t> actions;              // chosen
  std::vector<double> log_probabilities;    // of those, by the policy that chose them
  std::vector<double> values;               // what the critic expected to come
  std::vector<double> advantages, returns;  // learn/advantages.h

  // So many, all of which are nothing yet.
  NetSteps(size_t count, size_t numbers_each, size_t actions_each);

  size_t size() const { return actions.size(); }
  std::span<float> NumbersOf(size_t step);
  std::span<const float> NumbersOf(size_t step) const;
  std::span<uint8_t> PossibleIn(size_t step);
  std::span<const uint8_t> PossibleIn(size_t step) const;

  NetSteps Chosen(std::span<const size_t> steps) const;
};

// Log-probabilities of the actions that may be chosen, of which there is one at least.
std::vector<double> MaskedLogSoftmax(std::span<const float> logits,
                                     std::span<const uint8_t> possible);

}  // namespace berth
