#include "torch/torch_version.h"

#include <torch/version.h>

namespace berth {

std::string_view TorchVersion() { return TORCH_VERSION; }

}  // namespace berth
