#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace berth {

// The largest of a row of numbers, while single ones change: a tournament, in which a change costs
// log2(n) comparisons and the largest none.
class MaxTree {
 public:
  // REQUIRES: numbers is not empty.
  explicit MaxTree(std::span<const float> numbers);

  void Set(size_t position, float number);

  float operator[](size_t position) const { return tree_[leaves_ + position]; }
  float Max() const { return tree_[1]; }
  // The lowest position of Max().
  size_t FirstMax() const;

 private:
  size_t leaves_;            // a power of two
  std::vector<float> tree_;  // node i over 2i and 2i + 1; the numbers from leaves_ on
};

}  // namespace berth
