#include "apps/berth/progress_line.h"

#include <fmt/format.h>

#include <chrono>
#include <utility>

namespace berth {
namespace {

using std::chrono::seconds;

// Back to the beginning of the line, and away with what is there.
constexpr char kClearLine[] = "\r\x1b[K";

Clock::TimePoint::duration Pause(bool terminal) {
  return terminal ? std::chrono::milliseconds(200) : std::chrono::milliseconds(30'000);
}

// 75 s: "1:15"; an hour more: "1:01:15".
std::string DurationText(Clock::TimePoint::duration duration) {
  const auto all = std::chrono::duration_cast<seconds>(duration).count();
  const auto hours = all / 3600, minutes = all / 60 % 60, rest = all % 60;
  if (hours > 0) return fmt::format("{}:{:02}:{:02}", hours, minutes, rest);
  return fmt::format("{}:{:02}", minutes, rest);
}

}  // namespace

ProgressLine::ProgressLine(std::string what, bool terminal, std::ostream& out, const Clock& clock,
                           size_t done_before)
    : what_(std::move(what)),
      terminal_(terminal),
      out_(out),
      clock_(clock),
      done_before_(done_before),
      begin_(clock.Now()),
      next_(begin_ + Pause(terminal)) {}

ProgressLine::~ProgressLine() {
  if (on_screen_) out_ << kClearLine << std::flush;
}

void ProgressLine::Show(size_t done, size_t all, std::string_view more) {
  const Clock::TimePoint now = clock_.Now();
  if (now < next_) return;
  next_ = now + Pause(terminal_);
  on_screen_ = terminal_;
  if (terminal_) out_ << kClearLine;
  out_ << Text(done, all, now) << (more.empty() ? "" : "; ") << more << (terminal_ ? "" : "\n")
       << std::flush;
}

void ProgressLine::Say(std::string_view line) {
  if (on_screen_) out_ << kClearLine;
  on_screen_ = false;
  out_ << line << "\n" << std::flush;
}

std::string ProgressLine::Text(size_t done, size_t all, Clock::TimePoint now) const {
  const auto gone = std::chrono::duration<double>(now - begin_);
  const auto left =
      gone / static_cast<double>(done - done_before_) * static_cast<double>(all - done);
  return fmt::format("{} of {} {}, {} %, {} so far, about {} left", fmt::group_digits(done),
                     fmt::group_digits(all), what_, 100 * done / all, DurationText(now - begin_),
                     DurationText(std::chrono::ceil<seconds>(left)));
}

}  // namespace berth
