#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace berth {

// Whether a scorer may use this operator of TorchScript, such as "aten::matmul": those that compute
// from numbers to numbers, and from whose results rows cannot learn about each other by accident.
// Which overload, and whether it writes into its input, is not looked at here.
bool IsAllowedOperator(std::string_view name);

// What is wrong with an operator that is not allowed, and what to do about it.
std::string WhyNotAllowed(std::string_view name);

}  // namespace berth
