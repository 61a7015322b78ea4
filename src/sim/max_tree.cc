#include "sim/max_tree.h"

#include <algorithm>
#include <bit>
#include <limits>

namespace berth {

MaxTree::MaxTree(std::span<const float> numbers)
    : leaves_(std::bit_ceil(std::max<size_t>(numbers.size(), 2))),
      tree_(2 * leaves_, -std::numeric_limits<float>::infinity()) {
  std::ranges::copy(numbers, tree_.begin() + static_cast<std::ptrdiff_t>(leaves_));
  for (size_t i = leaves_ - 1; i > 0; --i) tree_[i] = std::max(tree_[2 * i], tree_[2 * i + 1]);
}

void MaxTree::Set(size_t position, float number) {
  size_t i = leaves_ + position;
  tree_[i] = number;
  for (i /= 2; i > 0; i /= 2) {
    const float larger = std::max(tree_[2 * i], tree_[2 * i + 1]);
    if (tree_[i] == larger) return;
    tree_[i] = larger;
  }
}

size_t MaxTree::FirstMax() const {
  size_t i = 1;
  while (i < leaves_) i = tree_[2 * i] == tree_[i] ? 2 * i : 2 * i + 1;
  return i - leaves_;
}

}  // namespace berth
