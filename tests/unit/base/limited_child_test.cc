#include "base/limited_child.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <string>

#include "support/temp_directory.h"

namespace berth {
namespace {

using ::testing::HasSubstr;
using How = ChildEnd::How;

ChildEnd Shell(const std::string& script, std::string_view input = "", ChildLimits limits = {}) {
  auto end = RunLimited({"/bin/sh", "-c", script}, {"GREETING=hello"}, input, limits);
  EXPECT_TRUE(end.ok()) << end.status();
  return end.value_or(ChildEnd{});
}

TEST(RunLimited, GivesInputAndVariablesAndTakesOutputAndStatus) {
  const ChildEnd end = Shell("cat; echo \" $GREETING\"; echo unheard >&2; exit 3", "from us:");
  EXPECT_EQ(end.how, How::kExited);
  EXPECT_EQ(end.code, 3);
  EXPECT_EQ(end.output, "from us: hello\n");
}

TEST(RunLimited, CarriesMoreThanASocketHolds) {
  const std::string input(8 << 20, 'x');
  EXPECT_EQ(Shell("wc -c", input).output, std::to_string(input.size()) + "\n");
  const ChildEnd echoed = Shell("cat", input, {.output_bytes = input.size()});
  EXPECT_EQ(echoed.how, How::kExited);
  EXPECT_TRUE(echoed.output == input);
}

TEST(RunLimited, DoesNotMindAChildThatReadsNothing) {
  EXPECT_EQ(Shell("exit 7", std::string(8 << 20, 'x')).code, 7);
}

TEST(RunLimited, EndsWhatUsesTooMuch) {
  struct Case {
    const char* what;
    const char* script;
    ChildLimits limits;
    How want;
  };
  const Case cases[] = {
      {"waits for ever", "sleep 600", {.time = std::chrono::seconds(1)}, How::kOutOfTime},
      {"closes its output and waits",
       "exec <&- >&-; sleep 600",
       {.time = std::chrono::seconds(1)},
       How::kOutOfTime},
      {"computes for ever",
       "while :; do :; done",
       {.cpu = std::chrono::seconds(1)},
       How::kOutOfCpu},
      {"talks for ever", "yes", {.output_bytes = 1000}, How::kTooMuchOutput},
      {"ends by a signal", "kill -SEGV $$", {}, How::kSignalled},
  };
  for (const Case& c : cases) EXPECT_EQ(Shell(c.script, "", c.limits).how, c.want) << c.what;
}

TEST(RunLimited, LetsAllocationsFailBeyondTheMemory) {
  // The limits hold from the first byte of input on. tail keeps the last line, which is all of it.
  const std::string script = "read start; head -c 200000000 /dev/zero | tail -n 1 | wc -c";
  EXPECT_EQ(Shell(script, "go\n").output, "200000000\n");
  EXPECT_EQ(Shell(script, "go\n", {.memory_bytes = 100 << 20}).output, "0\n");
}

TEST(RunLimited, LetsNoFileBeWritten) {
  const TempDirectory directory;
  const auto file = directory.path() / "written";
  // The shell may create it, but not put a byte into it.
  Shell("read start; echo text > " + file.string(), "go\n");
  std::error_code error;
  const auto size = std::filesystem::file_size(file, error);
  EXPECT_TRUE(error || size == 0);
}

TEST(RunLimited, HandsNoDescriptorOnAndNoBlockedSignal) {
  const int inherited = dup(STDERR_FILENO);  // without O_CLOEXEC
  sigset_t term, before;
  sigemptyset(&term);
  sigaddset(&term, SIGTERM);
  pthread_sigmask(SIG_BLOCK, &term, &before);
  const ChildEnd end = Shell("ls /proc/$$/fd; kill -TERM $$; echo survived");
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  close(inherited);
  EXPECT_EQ(end.output, "0\n1\n2\n");
  EXPECT_EQ(end.code, SIGTERM);
}

TEST(RunLimited, SaysWhatCannotBeStarted) {
  const auto end = RunLimited({"/no/such/program"}, {}, "", {});
  EXPECT_EQ(end.status().code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(end.status().message()),
              HasSubstr("/no/such/program: No such file or directory"));
}

}  // namespace
}  // namespace berth
