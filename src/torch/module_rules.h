#pragma once

#include <string>

#include "berth/result.h"

namespace berth {

// Loads the module and looks at what `forward` would do, with all that it calls put in its place:
// only operators that scorers may use (torch/operator_list.h), none that writes into its input, no
// other device than the CPU; attributes of no class but modules; and tensors whose numbers are all
// in the file (torch/stored_bytes.h). Runs no forward.
//
// REQUIRES: CheckModuleSource(bytes) (torch/module_source.h) was OK.
// Errors: FAILED_PRECONDITION that quotes the line and says how to mend it; INVALID_ARGUMENT with
// libtorch's reason when it does not load.
Status CheckModuleRules(const std::string& bytes);

}  // namespace berth
