#pragma once

#include <memory>
#include <string>

#include "policy/row_scorer.h"

namespace berth {

// Makes libtorch compute in the thread that asks, as LoadTorchModel does. Only this reads files
// about the machine, so a process that opens nothing more calls it before.
void UseOneThreadEach();

// A TorchScript module with `forward(candidates: float32[N, columns], context: float32[C]) ->
// float32[N]`, run on the CPU without gradients and on one thread. Evaluate fails with INTERNAL
// when forward throws or its result has another type or shape. No libtorch exception passes.
//
// Loading runs code that the file brings along; the caller has checked where it comes from.
// `bytes` are the file's. Errors: INVALID_ARGUMENT with libtorch's reason.
Result<std::unique_ptr<const RowModel>> LoadTorchModel(const std::string& bytes, size_t columns);

}  // namespace berth
