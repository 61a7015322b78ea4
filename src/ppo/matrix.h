#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace berth {

// What small nets are made of. Matrices are row by row, without gaps.

// sum += a * b, where a has `rows` rows and b has `columns` columns.
// REQUIRES: the sizes fit together.
void AddProduct(size_t rows, size_t columns, std::span<const float> a, std::span<const float> b,
                std::span<float> sum);

std::vector<float> Transposed(size_t rows, std::span<const float> matrix);

// tanh of each, to within 1e-5.
void TanhEach(std::span<float> values);

}  // namespace berth
