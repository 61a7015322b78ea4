#pragma once

#include <string_view>

namespace berth {

// Of the libtorch that this program was built with, such as "1.13.1".
std::string_view TorchVersion();

}  // namespace berth
