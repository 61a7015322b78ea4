#pragma once

#include <torch/csrc/jit/frontend/source_range.h>

#include <string>

namespace berth {

// Where in its author's own code something stands, or else in the code in the file:
// `line 4: "for i in range(n):"`, after the name of the file where that is known.
std::string LineOf(const torch::jit::SourceRange& range);

// libtorch's message without the stack that it writes around: what was raised, in one line.
std::string OneLine(const std::string& message);

}  // namespace berth
