#include "apps/berth/seed_list.h"

#include <absl/strings/numbers.h>
#include <absl/strings/str_split.h>
#include <fmt/format.h>

#include <set>
#include <string>

#include "base/log.h"

namespace berth {
namespace {

constexpr uint64_t kMostSeeds = 10'000;

}  // namespace

Result<std::vector<uint64_t>> ParseSeeds(std::string_view text) {
  const Status wrong = absl::InvalidArgumentError(
      fmt::format("{} should be seeds such as 42, 9001-9005 or 42,44-46; at most {} of them",
                  Quoted(text), kMostSeeds));
  std::set<uint64_t> seeds;
  const std::vector<std::string> parts = absl::StrSplit(std::string(text), ',');
  for (const std::string& part : parts) {
    const std::vector<std::string> ends = absl::StrSplit(part, absl::MaxSplits('-', 1));
    uint32_t first = 0;
    uint32_t last = 0;
    if (!absl::SimpleAtoi(ends.front(), &first) || !absl::SimpleAtoi(ends.back(), &last)) {
      return wrong;
    }
    if (last < first || last - first >= kMostSeeds) return wrong;
    for (uint64_t seed = first; seed <= last; ++seed) seeds.insert(seed);
    if (seeds.size() > kMostSeeds) return wrong;
  }
  return std::vector<uint64_t>(seeds.begin(), seeds.end());
}

}  // namespace berth
