#include "torch/export.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "support/temp_directory.h"

namespace berth {
namespace {

using ::testing::HasSubstr;

std::string Contents(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  EXPECT_TRUE(stream) << file;
  return {std::istreambuf_iterator<char>(stream), {}};
}

TEST(ExportHeuristic, WritesTheShippedPolicyByteForByte) {
  const std::filesystem::path shipped = BERTH_SOURCE_DIR "/policies/fgd-bestfit";
  TempDirectory directory;
  for (const char* name : {"first", "deeper/second"}) {
    const std::filesystem::path out = directory.path() / name;
    ASSERT_EQ(ExportHeuristic("fgd-bestfit", out), absl::OkStatus());
    for (const char* file : {"manifest.json", "policy.pt"}) {
      EXPECT_TRUE(Contents(out / file) == Contents(shipped / file))
          << file << ": after a change on purpose (or with another libtorch), run"
          << " `berth policy export fgd-bestfit --out policies/fgd-bestfit` and commit the result";
    }
  }
  EXPECT_LT(std::filesystem::file_size(shipped / "policy.pt"), 4096u);
}

TEST(ExportHeuristic, ReplacesWhatIsThere) {
  TempDirectory directory;
  directory.Write("policy.pt", std::string(100'000, 'x'));
  ASSERT_EQ(ExportHeuristic("fgd-bestfit", directory.path()), absl::OkStatus());
  EXPECT_LT(std::filesystem::file_size(directory.path() / "policy.pt"), 4096u);
}

TEST(ExportHeuristic, SaysWhatItCannotExport) {
  TempDirectory directory;
  const Status unknown = ExportHeuristic("worst-fit", directory.path());
  EXPECT_EQ(unknown.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(unknown.message()), HasSubstr("\"worst-fit\"; there are first-fit"));

  const Status not_linear = ExportHeuristic("fgd", directory.path());
  EXPECT_EQ(not_linear.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(not_linear.message()), HasSubstr("fgd-bestfit is"));
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(ExportHeuristic, SaysWhereItCannotWrite) {
  TempDirectory directory;
  const std::filesystem::path file = directory.Write("file", "");
  const Status no_directory = ExportHeuristic("fgd-bestfit", file / "below");
  EXPECT_EQ(no_directory.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(no_directory.message()), HasSubstr("file/below: cannot be created"));

  std::filesystem::create_directories(directory.path() / "policy.pt");
  const Status no_file = ExportHeuristic("fgd-bestfit", directory.path());
  EXPECT_EQ(no_file.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(no_file.message()),
              HasSubstr("policy.pt: cannot be replaced: Is a directory"));
}

}  // namespace
}  // namespace berth
