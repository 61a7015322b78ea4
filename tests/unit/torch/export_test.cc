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

const PolicyManifest kAbout{
    .version = "1", .created = "2026-01-02T03:04:05Z", .created_by = "a test"};

// Apart from who wrote it, and when.
PolicyManifest ManifestIn(const std::filesystem::path& directory) {
  PolicyManifest manifest = ParseManifest(Contents(directory / "manifest.json")).value();
  manifest.created = kAbout.created;
  manifest.created_by = kAbout.created_by;
  manifest.results.clear();
  return manifest;
}

TEST(ExportHeuristic, WritesTheShippedPoliciesByteForByte) {
  TempDirectory directory;
  for (const std::string policy : {"fgd", "fgd-bestfit"}) {
    const auto shipped = std::filesystem::path(BERTH_SOURCE_DIR "/policies") / policy;
    for (const char* name : {"first", "deeper/second"}) {
      const std::filesystem::path out = directory.path() / policy / name;
      ASSERT_EQ(ExportHeuristic(policy, kAbout, out), absl::OkStatus());
      EXPECT_TRUE(Contents(out / "policy.pt") == Contents(shipped / "policy.pt"))
          << policy << ": after a change on purpose (or with another libtorch), run `berth policy"
          << " export " << policy << " --out policies/" << policy << "` and commit the result";
      EXPECT_EQ(ManifestIn(out), ManifestIn(shipped));
    }
    EXPECT_LT(std::filesystem::file_size(shipped / "policy.pt"), 4096u);
  }
}

TEST(ExportHeuristic, ReplacesWhatIsThere) {
  TempDirectory directory;
  directory.Write("policy.pt", std::string(100'000, 'x'));
  ASSERT_EQ(ExportHeuristic("fgd-bestfit", kAbout, directory.path()), absl::OkStatus());
  EXPECT_LT(std::filesystem::file_size(directory.path() / "policy.pt"), 4096u);
}

TEST(ExportHeuristic, SaysWhatItCannotExport) {
  TempDirectory directory;
  const Status unknown = ExportHeuristic("worst-fit", kAbout, directory.path());
  EXPECT_EQ(unknown.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(unknown.message()), HasSubstr("\"worst-fit\"; there are first-fit"));

  const Status no_form = ExportHeuristic("bin-pack", kAbout, directory.path());
  EXPECT_EQ(no_form.code(), absl::StatusCode::kUnimplemented);
  EXPECT_THAT(std::string(no_form.message()),
              HasSubstr("has no TorchScript form; fgd and fgd-bestfit have"));
  EXPECT_TRUE(std::filesystem::is_empty(directory.path()));
}

TEST(ExportHeuristic, SaysWhereItCannotWrite) {
  TempDirectory directory;
  const std::filesystem::path file = directory.Write("file", "");
  const Status no_directory = ExportHeuristic("fgd-bestfit", kAbout, file / "below");
  EXPECT_EQ(no_directory.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(no_directory.message()), HasSubstr("file/below: cannot be created"));

  std::filesystem::create_directories(directory.path() / "policy.pt");
  const Status no_file = ExportHeuristic("fgd-bestfit", kAbout, directory.path());
  EXPECT_EQ(no_file.code(), absl::StatusCode::kUnavailable);
  EXPECT_THAT(std::string(no_file.message()),
              HasSubstr("policy.pt: cannot be replaced: Is a directory"));
}

}  // namespace
}  // namespace berth
