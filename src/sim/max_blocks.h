#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace berth {

// The largest of a row of numbers while single ones change, without another copy of them: the
// largest of each block of them is kept. With n numbers in blocks of about sqrt(n), what a change
// and a question cost grows with sqrt(n).
class MaxBlocks {
 public:
  explicit MaxBlocks(std::span<const float> numbers);

  // `numbers` are as before, but for the one at `position`, which was `before`.
  void Update(std::span<const float> numbers, size_t position, float before);

  // REQUIRES: there are numbers.
  float Max() const;
  // The lowest position of Max().
  size_t FirstMax(std::span<const float> numbers) const;

 private:
  std::span<const float> Block(std::span<const float> numbers, size_t block) const;

  size_t block_size_;
  std::vector<float> largest_;  // of each block
};

}  // namespace berth
