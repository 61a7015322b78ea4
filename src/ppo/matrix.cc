#include "ppo/matrix.h"

#include <algorithm>

#include "base/check.h"

// Compiled for processors with AVX2 as well; which one runs is found out as the program starts.
// What such a function calls must become part of it.
#if defined(__x86_64__) && defined(__OPTIMIZE__) && !defined(__clang__)
#define BERTH_ALSO_WITH_AVX2 __attribute__((target_clones("arch=haswell", "default")))
#define BERTH_PART_OF_CALLER [[gnu::always_inline]] inline
#else
#define BERTH_ALSO_WITH_AVX2
#define BERTH_PART_OF_CALLER
#endif

namespace berth {
namespace {

// kRows rows of the sum, kColumns columns wide: each number of b that is read serves all of them.
constexpr size_t kColumns = 16;
template <size_t kRows>
BERTH_PART_OF_CALLER void AddTile(size_t inner, size_t columns, const float* a, const float* b,
                                  float* sum) {
  float tile[kRows][kColumns];
  for (size_t r = 0; r < kRows; ++r) std::copy_n(sum + r * columns, kColumns, tile[r]);
  for (size_t k = 0; k < inner; ++k) {
    for (size_t r = 0; r < kRows; ++r) {
      for (size_t c = 0; c < kColumns; ++c) tile[r][c] += a[r * inner + k] * b[k * columns + c];
    }
  }
  for (size_t r = 0; r < kRows; ++r) std::copy_n(tile[r], kColumns, sum + r * columns);
}

template <size_t kRows>
BERTH_PART_OF_CALLER void AddRows(size_t inner, size_t columns, const float* a, const float* b,
                                  float* sum) {
  size_t column = 0;
  for (; column + kColumns <= columns; column += kColumns) {
    AddTile<kRows>(inner, columns, a, b + column, sum + column);
  }
  for (; column < columns; ++column) {
    for (size_t r = 0; r < kRows; ++r) {
      for (size_t k = 0; k < inner; ++k) {
        sum[r * columns + column] += a[r * inner + k] * b[k * columns + column];
      }
    }
  }
}

// Lambert's continued fraction, nine terms deep; further out it is 1 to within rounding.
BERTH_PART_OF_CALLER float Tanh(float x) {
  constexpr float kFlat = 6.2F;
  x = std::clamp(x, -kFlat, kFlat);
  const float s = x * x;
  const float above = x * (34459425 + s * (4729725 + s * (135135 + s * (990 + s))));
  const float below = 34459425 + s * (16216200 + s * (945945 + s * (13860 + s * 45)));
  return above / below;
}

}  // namespace

BERTH_ALSO_WITH_AVX2
void AddProduct(size_t rows, size_t columns, std::span<const float> a, std::span<const float> b,
                std::span<float> sum) {
  BERTH_CHECK(sum.size() == rows * columns && a.size() * columns == b.size() * rows,
              "the matrices fit together");
  constexpr size_t kRows = 4;
  const size_t inner = a.size() / std::max<size_t>(1, rows);
  size_t row = 0;
  for (; row + kRows <= rows; row += kRows) {
    AddRows<kRows>(inner, columns, &a[row * inner], b.data(), &sum[row * columns]);
  }
  for (; row < rows; ++row)
    AddRows<1>(inner, columns, &a[row * inner], b.data(), &sum[row * columns]);
}

std::vector<float> Transposed(size_t rows, std::span<const float> matrix) {
  std::vector<float> transposed(matrix.size());
  const size_t columns = matrix.size() / std::max<size_t>(1, rows);
  for (size_t r = 0; r < rows; ++r) {
    for (size_t c = 0; c < columns; ++c) transposed[c * rows + r] = matrix[r * columns + c];
  }
  return transposed;
}

BERTH_ALSO_WITH_AVX2
void TanhEach(std::span<float> values) {
  for (float& value : values) value = Tanh(value);
}

}  // namespace berth
