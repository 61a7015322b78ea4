#pragma once

#include <string>

#include "berth/result.h"

namespace berth {

// Loading a TorchScript file compiles the code in it, and runs some: __setstate__ of every object,
// and the calls in default values of arguments and in constants of classes. Reads that code with
// libtorch's own zip reader and parser, which run none of it, and refuses a file that has any.
//
// REQUIRES: CheckArchive(bytes) (torch/archive.h) was OK.
// Errors: FAILED_PRECONDITION that quotes the line and says how to mend it; INVALID_ARGUMENT when
// the file cannot be read.
Status CheckModuleSource(const std::string& bytes);

}  // namespace berth
