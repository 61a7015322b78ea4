#include "apps/berth/data_path.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temp_directory.h"

namespace berth {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;

class FindDataTest : public ::testing::Test {
 protected:
  fs::path Make(const fs::path& file) {
    fs::create_directories((root_ / file).parent_path());
    return directory_.Write(file, "x");
  }

  TempDirectory directory_;
  const fs::path root_ = directory_.path();
};

TEST_F(FindDataTest, TakesAPathThatIsThere) {
  const fs::path file = Make("anywhere/policy");
  EXPECT_EQ(*FindData(file, root_ / "usr/bin"), file);
}

TEST_F(FindDataTest, LooksBesideAnInstalledProgram) {
  const fs::path file = Make("usr/share/berth/policies/p");
  EXPECT_EQ(*FindData("policies/p", root_ / "usr/bin"), file);
}

TEST_F(FindDataTest, LooksInTheSourcesOfABuiltProgram) {
  const fs::path file = Make("policies/p");
  EXPECT_EQ(*FindData("policies/p", root_ / "build/dev/bin"), file);
}

TEST_F(FindDataTest, PrefersTheInstalledOne) {
  Make("policies/p");
  const fs::path installed = Make("build/dev/share/berth/policies/p");
  EXPECT_EQ(*FindData("policies/p", root_ / "build/dev/bin"), installed);
}

TEST_F(FindDataTest, SaysWhereItLooked) {
  const std::string why(FindData("policies/p", root_ / "build/dev/bin").status().message());
  EXPECT_THAT(why, HasSubstr((fs::current_path() / "policies/p").string()));
  EXPECT_THAT(why, HasSubstr((root_ / "build/dev/share/berth/policies/p").string()));
  EXPECT_THAT(why, HasSubstr((root_ / "policies/p").string()));
  EXPECT_EQ(FindData("/no/such", root_).status().message(), "not found; looked for /no/such");
}

}  // namespace
}  // namespace berth
