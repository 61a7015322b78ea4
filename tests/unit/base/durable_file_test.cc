#include "base/durable_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/resource.h>

#include <csignal>
#include <fstream>
#include <sstream>

#include "base/staged_file.h"
#include "support/temp_directory.h"

namespace berth {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

std::string Read(const fs::path& file) {
  std::ostringstream text;
  text << std::ifstream(file, std::ios::binary).rdbuf();
  return text.str();
}

// As on a disk that is full: no file of this process grows beyond so many bytes.
class FullDisk {
 public:
  explicit FullDisk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
    getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limit{bytes, before_.rlim_max};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  ~FullDisk() {
    setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, handler_);
  }

  FullDisk(const FullDisk&) = delete;
  FullDisk& operator=(const FullDisk&) = delete;

 private:
  void (*const handler_)(int);
  rlimit before_{};
};

class DurableFileTest : public testing::Test {
 protected:
  const TempDirectory directory_;
  const fs::path file_ = fs::path(directory_.path()) / "log";
};

TEST_F(DurableFileTest, GrowsByWhatIsAppended) {
  EXPECT_TRUE(AppendDurably(file_, "one\n").ok());
  EXPECT_TRUE(AppendDurably(file_, "").ok());
  EXPECT_TRUE(AppendDurably(file_, "two\n").ok());
  EXPECT_EQ(Read(file_), "one\ntwo\n");
}

TEST_F(DurableFileTest, AFullDiskLeavesItAsItWas) {
  ASSERT_TRUE(AppendDurably(file_, "whole line\n").ok());
  Status appended;
  {
    const FullDisk disk(20);
    appended = AppendDurably(file_, "this one fits only in part\n");
  }
  EXPECT_EQ(appended.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(appended.message()),
              HasSubstr("/log: cannot be written: File too large"));
  EXPECT_EQ(Read(file_), "whole line\n");
}

TEST_F(DurableFileTest, AFullDiskLeavesWhatWasToBeReplaced) {
  ASSERT_TRUE(StageFile(file_, "earlier").ok() && PublishFile(file_).ok());
  Status staged;
  {
    const FullDisk disk(20);
    staged = StageFile(file_, std::string(100, 'x'));
  }
  EXPECT_THAT(std::string(staged.message()), HasSubstr("/log.new: cannot be written: "));
  EXPECT_EQ(Read(file_), "earlier");
  EXPECT_FALSE(fs::exists(file_.string() + ".new")) << "the room is given back";
}

TEST_F(DurableFileTest, WhatAKilledProgramStagedIsNotAddedTo) {
  ASSERT_TRUE(AppendDurably(file_.string() + ".new", "half of somethi").ok());
  ASSERT_TRUE(StageFile(file_, "whole").ok() && PublishFile(file_).ok());
  EXPECT_EQ(Read(file_), "whole");
}

TEST_F(DurableFileTest, SaysWhatIsWrongWithTheFile) {
  const std::pair<fs::path, const char*> table[] = {
      {"/dev/full", "/dev/full: cannot be written: No space left on device"},
      {directory_.path(), "cannot be written: Is a directory"},
      {file_ / "log", "cannot be written: No such file or directory"},
  };
  for (const auto& [file, message] : table) {
    EXPECT_THAT(std::string(AppendDurably(file, "x").message()), HasSubstr(message));
  }
}

}  // namespace
}  // namespace berth
