#include "support/background_program.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth {
namespace {

using ::testing::HasSubstr;

constexpr std::chrono::seconds kPatience{30};

std::vector<std::string> Shell(const std::string& script) { return {"/bin/sh", "-c", script}; }

TEST(BackgroundProgram, ReadsItsStandardErrorLineByLine) {
  BackgroundProgram program(Shell("echo 'one a=1 b=2' >&2; echo two >&2; sleep 100"));
  const Result<std::string> two = program.AwaitLine("two", kPatience);
  ASSERT_TRUE(two.ok()) << two.status();
  const Result<std::string> one = program.AwaitLine("one", kPatience);  // also after a later line
  ASSERT_TRUE(one.ok()) << one.status();
  EXPECT_EQ(LogField(*one, "a"), "1");
  EXPECT_EQ(LogField(*one, "b"), "2");
  EXPECT_EQ(LogField(*one, "c"), "");
  EXPECT_EQ(LogField("time=1 msg=\"all is well\" port=2", "msg"), "all is well");
}

TEST(BackgroundProgram, AnEndBeforeTheLineIsAnErrorWithTheLastWords) {
  BackgroundProgram program(Shell("echo 'port in use' >&2; exit 3"));
  const Result<std::string> line = program.AwaitLine("serving", kPatience);
  EXPECT_THAT(std::string(line.status().message()), HasSubstr("port in use"));
  EXPECT_EQ(program.Stop(), 3);
}

TEST(BackgroundProgram, StopIsASignalThatItCanHandle) {
  BackgroundProgram program(
      Shell("trap 'exit 7' TERM; echo ready >&2; while :; do sleep 0.01; done"));
  ASSERT_TRUE(program.AwaitLine("ready", kPatience).ok());
  EXPECT_EQ(program.Stop(), 7);
  EXPECT_EQ(program.Stop(), 7);
}

TEST(BackgroundProgram, AMissingProgramEnds) {
  BackgroundProgram program({"/nowhere/program"});
  EXPECT_FALSE(program.AwaitLine("anything", kPatience).ok());
  EXPECT_EQ(program.Stop(), 127);
}

}  // namespace
}  // namespace berth
