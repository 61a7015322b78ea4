// What the policies decide, as text that people read: compared with the files in tests/data/golden.
// Where a change of decisions is meant, `make golden` writes them anew, and their difference shows
// what it does.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <string>

#include "golden/episode.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

const fs::path kFolder = fs::path(BERTH_SOURCE_DIR) / "tests/data/golden";

bool LeavesNothingToChance(const SimPolicy& policy) {
  return policy.ties == TieRule::kFirst && policy.share == ShareRule::kPolicy;
}

fs::path FileOf(const SimPolicy& policy) { return kFolder / (std::string(policy.name) + ".txt"); }

std::string TextIn(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), {}};
}

TEST(Golden, EpisodesAreAsTheyWere) {
  const bool writes = std::getenv("BERTH_WRITE_GOLDEN") != nullptr;
  for (const SimPolicy& policy : SimPolicies()) {
    if (!LeavesNothingToChance(policy)) continue;
    const std::string text = EpisodeText(policy);
    if (writes) std::ofstream(FileOf(policy), std::ios::binary) << text;
    EXPECT_EQ(text, TextIn(FileOf(policy)))
        << policy.name << " decides otherwise; if that is meant, run: make golden";
  }
}

TEST(Golden, EpisodesHaveThirtyDecisions) {
  for (const SimPolicy& policy : SimPolicies()) {
    if (!LeavesNothingToChance(policy)) continue;
    const std::string text = EpisodeText(policy);
    size_t decisions = 0;
    for (size_t at = text.find("->"); at != text.npos; at = text.find("->", at + 1)) ++decisions;
    EXPECT_EQ(decisions, 30u) << policy.name;
  }
}

TEST(Golden, EveryFileIsOfAPolicy) {
  std::set<std::string> expected, found;
  for (const SimPolicy& policy : SimPolicies()) {
    if (LeavesNothingToChance(policy)) expected.insert(FileOf(policy).filename());
  }
  for (const auto& entry : fs::directory_iterator(kFolder)) found.insert(entry.path().filename());
  EXPECT_EQ(found, expected);
}

}  // namespace
}  // namespace berth
