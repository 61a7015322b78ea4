#include <absl/strings/ascii.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "berth/pod.h"

namespace berth {
namespace {

// Takes the next word off `text`; empty when there is none left.
std::string_view TakeWord(std::string_view& text) {
  constexpr std::string_view kSeparators = "-_ ";
  const size_t begin = std::min(text.find_first_not_of(kSeparators), text.size());
  const size_t end = std::min(text.find_first_of(kSeparators, begin), text.size());
  const std::string_view word = text.substr(begin, end - begin);
  text.remove_prefix(end);
  return word;
}

bool SameWord(std::string_view a, std::string_view b) {
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](char x, char y) {
    return absl::ascii_tolower(x) == absl::ascii_tolower(y);
  });
}

bool StartsWithWords(std::string_view text, std::string_view words) {
  for (std::string_view word = TakeWord(words); !word.empty(); word = TakeWord(words)) {
    if (!SameWord(TakeWord(text), word)) return false;
  }
  return true;
}

bool HasWord(std::string_view text) { return !TakeWord(text).empty(); }

bool ContainsWords(std::string_view model, std::string_view words) {
  if (!HasWord(words)) return false;
  for (; HasWord(model); TakeWord(model)) {
    if (StartsWithWords(model, words)) return true;
  }
  return false;
}

}  // namespace

AllowedModels::AllowedModels(std::vector<std::string> alternatives)
    : alternatives_(std::move(alternatives)) {
  std::sort(alternatives_.begin(), alternatives_.end());
}

bool AllowedModels::Allows(const GpuModel& model) const {
  return AllowsAny() || std::any_of(alternatives_.begin(), alternatives_.end(),
                                    [&](const std::string& alternative) {
                                      return ContainsWords(model.value(), alternative);
                                    });
}

}  // namespace berth
