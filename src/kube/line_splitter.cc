#include "kube/line_splitter.h"

namespace berth {

Status LineSplitter::Append(std::string_view bytes, const OnLine& on_line) {
  while (true) {
    const size_t newline = bytes.find('\n');
    const std::string_view part = bytes.substr(0, newline);
    if (begun_.size() + part.size() > max_line_bytes_) {
      return absl::AbortedError("a line is longer than " + std::to_string(max_line_bytes_) +
                                " bytes");
    }
    if (newline == std::string_view::npos) {
      begun_ += part;
      return absl::OkStatus();
    }
    bytes.remove_prefix(newline + 1);
    Status status = begun_.empty() ? Emit(part, on_line) : Emit(begun_ += part, on_line);
    if (!status.ok()) return status;
    begun_.clear();
  }
}

Status LineSplitter::Emit(std::string_view line, const OnLine& on_line) const {
  if (line.ends_with('\r')) line.remove_suffix(1);
  return line.empty() ? absl::OkStatus() : on_line(line);
}

}  // namespace berth
