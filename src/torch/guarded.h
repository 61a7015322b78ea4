#pragma once

#include <c10/util/Exception.h>

#include <exception>
#include <string>

#include "berth/result.h"

namespace berth {

// libtorch reports by exceptions; this is the one place where they end. Runs `call`, which returns
// a Status; what it throws becomes INTERNAL with libtorch's message, without libtorch's own stack.
template <class Call>
Status Guarded(Call call) {
  try {
    return call();
  } catch (const c10::Error& error) {
    return absl::InternalError(error.what_without_backtrace());
  } catch (const std::exception& error) {
    return absl::InternalError(error.what());
  } catch (...) {
    return absl::InternalError("libtorch threw something that is no exception");
  }
}

}  // namespace berth
