#include "policy/guard_text.h"

#include <fmt/format.h>

namespace berth {

std::string GuardText(Guard guard, std::string_view policy) {
  switch (guard) {
    case Guard::kNone:
      return "";
    case Guard::kError:
      return fmt::format("{} failed", policy);
    case Guard::kDeadline:
      return fmt::format("{} was late", policy);
    case Guard::kNotFinite:
      return fmt::format("{} gave a score that is not a number", policy);
    case Guard::kRegret:
      return fmt::format("the choice of {} looked much worse", policy);
    case Guard::kRanges:
      return fmt::format("{} saw too much that it had not seen in training", policy);
  }
  return "";
}

}  // namespace berth
