#pragma once

#include <cstddef>
#include <ostream>
#include <string>
#include <string_view>

#include "berth/clock.h"

namespace berth {

// How far a long run is and how long it will still take, if what is left goes as fast:
// "412 of 1,020 runs, 40 %, 0:51 so far, about 1:16 left", with what else is worth to know after a
// semicolon. On a terminal one line that is rewritten
// in place, and taken away in the end; elsewhere, such as in the log of a build, a line of its own
// every half minute. A run that is soon over shows nothing.
class ProgressLine {
 public:
  // `what` is counted: "runs". `out` is standard error, so that results can be piped on; `terminal`
  // says whether it is one. So many were `done_before` this run, and took none of its time. The
  // clock and the stream outlive this.
  ProgressLine(std::string what, bool terminal, std::ostream& out, const Clock& clock,
               size_t done_before = 0);
  ~ProgressLine();

  ProgressLine(const ProgressLine&) = delete;
  ProgressLine& operator=(const ProgressLine&) = delete;

  // One call at a time. REQUIRES: done_before < done <= all.
  void Show(size_t done, size_t all, std::string_view more = "");

  // A line of its own that stays, above the one that is rewritten.
  void Say(std::string_view line);

 private:
  std::string Text(size_t done, size_t all, Clock::TimePoint now) const;

  const std::string what_;
  const bool terminal_;
  std::ostream& out_;
  const Clock& clock_;
  const size_t done_before_;
  const Clock::TimePoint begin_;
  Clock::TimePoint next_;  // not shown again before
  bool on_screen_ = false;
};

}  // namespace berth
