#include "kube/line_splitter.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr size_t kNoLimit = 1 << 20;

// The lines of a stream that arrives in these pieces.
std::vector<std::string> Lines(const std::vector<std::string>& pieces) {
  LineSplitter splitter(kNoLimit);
  std::vector<std::string> lines;
  for (const std::string& piece : pieces) {
    EXPECT_TRUE(splitter
                    .Append(piece,
                            [&lines](std::string_view line) {
                              lines.emplace_back(line);
                              return absl::OkStatus();
                            })
                    .ok());
  }
  return lines;
}

TEST(LineSplitter, CutsAtNewlinesOnly) {
  EXPECT_THAT(Lines({"a\nb\nc"}), ElementsAre("a", "b"));
  EXPECT_THAT(Lines({"a", "b", "\n", "c\n"}), ElementsAre("ab", "c"));
  EXPECT_THAT(Lines({"\n", "\n\na\n\n", "\r\n", "b\r\n", "c\r", "\n"}), ElementsAre("a", "b", "c"));
  EXPECT_THAT(Lines({std::string("a\0b\n", 4)}), ElementsAre(std::string("a\0b", 3)));
  EXPECT_THAT(Lines({"", ""}), IsEmpty());
}

// WA-01: characters of several bytes, several lines in a piece, wherever the pieces are cut.
TEST(LineSplitter, EveryCutGivesTheSameLines) {
  const std::string stream = "{\"note\":\"Zürich 🚀 山\"}\n\n{\"b\":2}\r\n{\"c\":3}\nunfinished";
  const auto want = ElementsAre("{\"note\":\"Zürich 🚀 山\"}", "{\"b\":2}", "{\"c\":3}");
  for (size_t first = 0; first <= stream.size(); ++first) {
    for (size_t second = first; second <= stream.size(); ++second) {
      EXPECT_THAT(Lines({stream.substr(0, first), stream.substr(first, second - first),
                         stream.substr(second)}),
                  want)
          << first << " " << second;
    }
  }
  std::vector<std::string> bytes;
  for (const char c : stream) bytes.emplace_back(1, c);
  EXPECT_THAT(Lines(bytes), want);
}

TEST(LineSplitter, RefusesALineThatIsTooLongWhereverItIsCut) {
  const auto ignore = [](std::string_view) { return absl::OkStatus(); };
  for (const size_t piece : {1, 3, 1000}) {
    LineSplitter splitter(10);
    Status status;
    const std::string stream = "0123456789\n0123456789\n01234567890\n";
    for (size_t at = 0; at < stream.size() && status.ok(); at += piece) {
      status = splitter.Append(stream.substr(at, piece), ignore);
    }
    EXPECT_EQ(status.code(), absl::StatusCode::kAborted) << piece;
    EXPECT_THAT(status.message(), HasSubstr("longer than 10 bytes"));
  }
  LineSplitter endless(10);
  EXPECT_FALSE(endless.Append("01234567890", ignore).ok());  // before its end is seen
}

TEST(LineSplitter, StopsAtTheReadersError) {
  LineSplitter splitter(kNoLimit);
  std::vector<std::string> lines;
  const Status status = splitter.Append("a\nb\nc\n", [&lines](std::string_view line) {
    lines.emplace_back(line);
    return line == "b" ? absl::DataLossError("no more") : absl::OkStatus();
  });
  EXPECT_EQ(status.message(), "no more");
  EXPECT_THAT(lines, ElementsAre("a", "b"));
}

}  // namespace
}  // namespace berth
