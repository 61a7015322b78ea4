#include <absl/strings/ascii.h>

#include <algorithm>
#include <string_view>
#include <utility>

#include "berth/pod.h"

namespace berth {
namespace {

bool IsSeparator(char c) { return c == '-' || c == '_' || c == ' '; }

// Takes the next word off `text`; empty when there is none left. Called for every pod that accepts
// only some models and every node, so it does not search by std::string_view, which is slow.
std::string_view TakeWord(std::string_view& text) {
  size_t begin = 0;
  while (begin < text.size() && IsSeparator(text[begin])) ++begin;
  size_t end = begin;
  while (end < text.size() && !IsSeparator(text[end])) ++end;
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
