#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "berth/result.h"

namespace berth {

// Cuts a stream of bytes into lines, wherever the pieces of the stream begin and end. Works on
// bytes: a character that lies across two pieces comes out whole.
class LineSplitter {
 public:
  using OnLine = std::function<Status(std::string_view)>;

  // A line longer than this is an error rather than memory without end.
  explicit LineSplitter(size_t max_line_bytes) : max_line_bytes_(max_line_bytes) {}

  // Calls `on_line` with every line that these bytes complete, without its newline; empty lines are
  // left out. Stops at the first error, from `on_line` or because a line is too long (ABORTED);
  // after an error the splitter is of no use any more.
  Status Append(std::string_view bytes, const OnLine& on_line);

 private:
  Status Emit(std::string_view line, const OnLine& on_line) const;

  const size_t max_line_bytes_;
  std::string begun_;  // a line whose end has not been seen
};

}  // namespace berth
