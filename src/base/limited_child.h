#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "berth/result.h"

namespace berth {

// What a child process may use at most. It may write no file at all, and leaves no core.
struct ChildLimits {
  uint64_t memory_bytes = uint64_t{1} << 30;  // of address space; beyond it, allocations fail
  std::chrono::seconds cpu{10};
  std::chrono::seconds time{30};  // from start to end, by the wall
  size_t output_bytes = 64 << 10;
};

// How a child came to its end.
struct ChildEnd {
  enum class How { kExited, kSignalled, kOutOfCpu, kOutOfTime, kTooMuchOutput };

  How how = How::kExited;
  int code = 0;        // exit status or signal
  std::string output;  // of its standard output
};

// Runs a program that deals with bytes nobody vouches for: `command` is its path and arguments,
// `variables` ("NAME=value") are put before this process's environment, `input` is what it reads
// from standard input. The limits hold before it gets the first byte of that. It has no descriptor
// of ours, default signals, and no standard error; it is dead when this returns.
//
// Blocks until then, at most limits.time. Safe to call from many threads at once.
// Errors: UNAVAILABLE when the machine does not start it; what the child does is no error.
Result<ChildEnd> RunLimited(const std::vector<std::string>& command,
                            const std::vector<std::string>& variables, std::string_view input,
                            const ChildLimits& limits);

// For the child: from now on this process opens no file and no socket; what is open stays so.
// Errors: UNAVAILABLE.
Status OpenNothingMore();

}  // namespace berth
