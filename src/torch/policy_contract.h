#pragma once

#include <cstddef>

#include "policy/row_scorer.h"

namespace berth {

// Asks the model about made-up rows, alone, in pairs, together and in reverse, and compares: scores
// are finite, the same every time, and depend on their own row only, all within kScoreGrid.
// Errors: FAILED_PRECONDITION that says what differs; the model's own.
Status CheckPolicyContract(const RowModel& model, size_t columns, size_t context_columns);

}  // namespace berth
