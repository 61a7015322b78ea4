#include "demo/report.h"

#include "demo/progress.h"

namespace berth {
namespace {

template <class... Args>
std::string Format(const char* format, Args... args) {
  char text[200];
  std::snprintf(text, sizeof(text), format, args...);
  return text;
}

double Milliseconds(std::chrono::nanoseconds time) {
  return std::chrono::duration<double, std::milli>(time).count();
}

}  // namespace

std::string Report(std::span<const RunResult> results, size_t pods) {
  std::string text = Format("\n%-14s %16s %10s %12s %18s %8s\n", "policy", "pods placed", "GPU",
                            "unusable", "time to decide", "run");
  text += Format("%-14s %16s %10s %12s %18s %8s\n", "", "", "given out", "GPU", "p50 / p99", "");
  for (const RunResult& result : results) {
    const std::string placed = WithCommas(result.placed) + " of " + WithCommas(pods);
    const std::string times =
        Format("%.1f / %.1f ms", Milliseconds(result.median), Milliseconds(result.p99));
    text += Format("%-14s %16s %8.1f %% %10.1f %% %18s %6.0f s\n", result.policy.c_str(),
                   placed.c_str(), result.allocated * 100, result.unusable * 100, times.c_str(),
                   result.took.count());
    if (result.unanswered > 0) {
      text += Format("  (%zu of them decided without Berth, which gave no answer in time)\n",
                     result.unanswered);
    }
  }
  return text;
}

}  // namespace berth
