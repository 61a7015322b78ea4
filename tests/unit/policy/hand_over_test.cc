#include "policy/hand_over.h"

#include <gtest/gtest.h>

namespace berth {
namespace {

// `count` decisions, the first `odd` of which are.
HandOver::State NoteMany(HandOver& hand_over, size_t count, size_t odd) {
  HandOver::State last;
  for (size_t i = 0; i < count; ++i) last = hand_over.Note(i < odd);
  return last;
}

TEST(HandOver, JudgesNothingByAFew) {
  HandOver hand_over(0.2);
  EXPECT_FALSE(NoteMany(hand_over, HandOver::kLeast - 1, HandOver::kLeast - 1).handed_over);
  const HandOver::State state = hand_over.Note(true);
  EXPECT_TRUE(state.handed_over);
  EXPECT_TRUE(state.changed);
  EXPECT_EQ(state.share, 1);
  EXPECT_FALSE(hand_over.Note(true).changed) << "it is already";
}

TEST(HandOver, HappensBeyondTheLimitAndNotAtIt) {
  HandOver hand_over(0.2);
  NoteMany(hand_over, 160, 0);
  EXPECT_FALSE(NoteMany(hand_over, 40, 40).handed_over) << "20 %";
  EXPECT_TRUE(hand_over.Note(true).handed_over) << "20.5 %";
}

TEST(HandOver, IsTakenBackOnlyBelowHalfOfTheLimit) {
  HandOver hand_over(0.2);
  ASSERT_TRUE(NoteMany(hand_over, 200, 200).handed_over);
  NoteMany(hand_over, 180, 0);
  EXPECT_TRUE(hand_over.handed_over()) << "10 %";
  const HandOver::State state = hand_over.Note(false);
  EXPECT_FALSE(state.handed_over) << "9.5 %";
  EXPECT_TRUE(state.changed);
  EXPECT_FALSE(NoteMany(hand_over, 30, 30).handed_over) << "15 %: not beyond the limit";
}

TEST(HandOver, ForgetsWhatIsLongAgo) {
  HandOver hand_over(0.2);
  NoteMany(hand_over, 1000, 30);
  EXPECT_EQ(hand_over.Note(false).share, 0);
}

}  // namespace
}  // namespace berth
