#include "demo/progress.h"

#include <algorithm>
#include <cmath>

namespace berth {

std::string WithCommas(size_t number) {
  std::string text = std::to_string(number);
  for (size_t at = text.size(); at > 3;) text.insert(at -= 3, ",");
  return text;
}

std::string ProgressText(size_t done, size_t total, double allocated, double seconds) {
  constexpr size_t kWidth = 24;
  const double share = total == 0 ? 1 : static_cast<double>(done) / static_cast<double>(total);
  const double per_second = seconds > 0 ? static_cast<double>(done) / seconds : 0;
  const size_t filled = static_cast<size_t>(share * kWidth);
  char tail[120];
  std::snprintf(tail, sizeof(tail), "] %3.0f %%  %s of %s pods  %.0f pods/s  GPU %.1f %%",
                std::floor(share * 100), WithCommas(done).c_str(), WithCommas(total).c_str(),
                per_second, allocated * 100);
  std::string text = "[" + std::string(filled, '=') + std::string(kWidth - filled, ' ') + tail;
  if (done < total && per_second > 0) {
    const double left = std::ceil(static_cast<double>(total - done) / per_second);
    text += "  " + WithCommas(static_cast<size_t>(left)) + " s left";
  }
  return text;
}

Progress::Progress(std::FILE* out, bool terminal, std::string title, size_t total)
    : out_(out), terminal_(terminal), title_(std::move(title)), total_(total) {}

Progress::~Progress() {
  if (terminal_ && begun_) std::fputc('\n', out_);
  std::fflush(out_);
}

bool Progress::IsDue(size_t done, std::chrono::steady_clock::time_point now) const {
  constexpr std::chrono::milliseconds kRedraw{100};
  if (done == total_) return true;
  if (terminal_) return now - shown_at_ >= kRedraw;
  return done * 10 / total_ > shown_ * 10 / total_;
}

void Progress::Show(size_t done, double allocated, std::chrono::steady_clock::time_point now) {
  if (!begun_) start_ = now;
  begun_ = true;
  if (!IsDue(done, now)) return;
  shown_at_ = now;
  shown_ = done;
  const double seconds = std::chrono::duration<double>(now - start_).count();
  // Back to the line's beginning, and away with what a longer text left there.
  std::fprintf(out_, terminal_ ? "\r%-22s %s\x1b[K" : "%-22s %s\n", title_.c_str(),
               ProgressText(done, total_, allocated, seconds).c_str());
  std::fflush(out_);
}

}  // namespace berth
