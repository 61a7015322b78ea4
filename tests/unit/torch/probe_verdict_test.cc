#include "torch/probe_verdict.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <csignal>
#include <string>

namespace berth {
namespace {

using ::testing::HasSubstr;
using How = ChildEnd::How;

TEST(Verdict, GoesFromTheChildToItsParent) {
  for (const Result<ProbeReport>& verdict :
       {Result<ProbeReport>(ProbeReport{std::chrono::microseconds(910)}),
        Result<ProbeReport>(absl::FailedPreconditionError("a \"loop\" in \xff"))}) {
    const std::string line = WriteVerdict(verdict);
    EXPECT_EQ(line.find('\n'), line.size() - 1);
    const auto read = VerdictOf({.output = line}, {});
    EXPECT_EQ(read.value_or(ProbeReport{}), verdict.value_or(ProbeReport{}));
    EXPECT_EQ(read.ok(), verdict.ok());
  }
  EXPECT_EQ(VerdictOf({.output = R"({"ok": false, "reason": "too slow"})"}, {}).status(),
            absl::FailedPreconditionError("too slow"));
}

TEST(Verdict, IsASentenceWhateverTheEnd) {
  constexpr auto kPolicy = absl::StatusCode::kFailedPrecondition;
  constexpr auto kMachine = absl::StatusCode::kUnavailable;
  constexpr char kGarbage[] = "say something else than a verdict";
  struct Case {
    ChildEnd end;
    absl::StatusCode blamed;
    const char* want;
  };
  const Case cases[] = {
      {{How::kExited, 0, ""}, kPolicy, kGarbage},
      {{How::kExited, 1, "hello"}, kPolicy, kGarbage},
      {{How::kExited, 0, "[]"}, kPolicy, kGarbage},
      {{How::kExited, 0, R"({"ok": true})"}, kPolicy, kGarbage},
      {{How::kExited, 0, R"({"ok": true, "forward_us": -1})"}, kPolicy, kGarbage},
      {{How::kExited, 0, R"({"ok": false, "reason": ""})"}, kPolicy, kGarbage},
      {{How::kTooMuchOutput, 9, "y\ny\n"}, kPolicy, kGarbage},
      {{How::kSignalled, SIGSEGV, ""}, kPolicy, "crashed the process that checks it (Segmentation"},
      {{How::kSignalled, SIGKILL, ""}, kMachine, "something killed the process"},
      {{How::kOutOfCpu, SIGXCPU, ""}, kPolicy, "took more than 10 s of processor time"},
      {{How::kOutOfTime, SIGKILL, ""}, kMachine, "could not be checked within 30 s"},
  };
  for (const Case& c : cases) {
    const Status status = VerdictOf(c.end, {}).status();
    EXPECT_EQ(status.code(), c.blamed) << c.want;
    EXPECT_THAT(std::string(status.message()), HasSubstr(c.want));
  }
}

}  // namespace
}  // namespace berth
