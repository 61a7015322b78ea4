#pragma once

#include <chrono>
#include <cstddef>
#include <cstdio>
#include <string>

namespace berth {

// Shows how far one run is: a bar that redraws itself on a terminal, else a plain line at every
// tenth. Writes to `out`.
class Progress {
 public:
  Progress(std::FILE* out, bool terminal, std::string title, size_t total);
  // Leaves the last state on the screen.
  ~Progress();

  // `allocated` is the share of all GPU that is given out, 0..1.
  void Show(size_t done, double allocated, std::chrono::steady_clock::time_point now);

 private:
  bool IsDue(size_t done, std::chrono::steady_clock::time_point now) const;

  std::FILE* const out_;
  const bool terminal_;
  const std::string title_;
  const size_t total_;
  std::chrono::steady_clock::time_point start_{};
  std::chrono::steady_clock::time_point shown_at_{};
  size_t shown_ = 0;
  bool begun_ = false;
};

// One state as text, such as "[=====>    ]  51 %  4,120 of 8,076 pods  640 pods/s  GPU 50.1 %  6 s
// left".
std::string ProgressText(size_t done, size_t total, double allocated, double seconds);

// 1234567 -> "1,234,567".
std::string WithCommas(size_t number);

}  // namespace berth
