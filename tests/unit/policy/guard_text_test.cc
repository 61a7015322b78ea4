#include "policy/guard_text.h"

#include <gtest/gtest.h>

#include <set>

namespace berth {
namespace {

constexpr Guard kStepsIn[] = {Guard::kError, Guard::kDeadline, Guard::kNotFinite, Guard::kRegret,
                              Guard::kRanges};

TEST(GuardText, NamesThePolicyAndTellsGuardsApart) {
  std::set<std::string> texts;
  for (const Guard guard : kStepsIn) {
    const std::string text = GuardText(guard, "berth");
    EXPECT_NE(text.find("berth"), std::string::npos) << text;
    EXPECT_TRUE(texts.insert(text).second) << text << " is said of two guards";
  }
}

TEST(GuardText, SaysNothingWhenNobodySteppedIn) { EXPECT_EQ(GuardText(Guard::kNone, "berth"), ""); }

}  // namespace
}  // namespace berth
