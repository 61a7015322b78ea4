#include "sim/max_blocks.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace berth {
namespace {

size_t BlockSize(size_t numbers) {
  return std::bit_floor(static_cast<size_t>(std::sqrt(static_cast<double>(numbers))) | 1);
}

}  // namespace

MaxBlocks::MaxBlocks(std::span<const float> numbers) : block_size_(BlockSize(numbers.size())) {
  const size_t blocks = (numbers.size() + block_size_ - 1) / block_size_;
  for (size_t i = 0; i < blocks; ++i) largest_.push_back(std::ranges::max(Block(numbers, i)));
}

void MaxBlocks::Update(std::span<const float> numbers, size_t position, float before) {
  const size_t block = position / block_size_;
  float& largest = largest_[block];
  if (numbers[position] >= largest) {
    largest = numbers[position];
  } else if (before == largest) {
    largest = std::ranges::max(Block(numbers, block));
  }
}

float MaxBlocks::Max() const { return std::ranges::max(largest_); }

size_t MaxBlocks::FirstMax(std::span<const float> numbers) const {
  const auto block = static_cast<size_t>(std::ranges::max_element(largest_) - largest_.begin());
  const std::span<const float> within = Block(numbers, block);
  return block * block_size_ +
         static_cast<size_t>(std::ranges::find(within, largest_[block]) - within.begin());
}

std::span<const float> MaxBlocks::Block(std::span<const float> numbers, size_t block) const {
  const size_t begin = block * block_size_;
  return numbers.subspan(begin, std::min(block_size_, numbers.size() - begin));
}

}  // namespace berth
