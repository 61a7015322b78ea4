#pragma once

#include <cstddef>

#include "policy/row_scorer.h"

namespace berth {

// Asks the model about so many made-up rows, together and again, in reverse, by half, and some
// alone and in pairs, and compares: scores are finite, the same every time, and depend on their own
// row only, all within kScoreGrid. REQUIRES: rows > 0. Errors: FAILED_PRECONDITION that says what
// differs; the model's own.
Status CheckPolicyContract(const RowModel& model, size_t columns, size_t context_columns,
                           size_t rows = 7);

}  // namespace berth
