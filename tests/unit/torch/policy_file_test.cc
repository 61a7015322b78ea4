#include "torch/policy_file.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <functional>
#include <iterator>

#include "policy/sha256.h"
#include "support/temp_directory.h"

namespace berth {
namespace {

using ::testing::AllOf;
using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

constexpr char kShipped[] = BERTH_SOURCE_DIR "/policies/fgd-bestfit";

TEST(ReadPolicyFile, ReadsTheShippedPolicy) {
  const auto file = ReadPolicyFile(kShipped);
  ASSERT_TRUE(file.ok()) << file.status();
  EXPECT_EQ(file->manifest.name, "fgd-bestfit");
  EXPECT_THAT(file->schema.columns(), ElementsAre("fragmentation_before", "fragmentation_after",
                                                  "gpu_free_after", "cpu_free_after"));
  EXPECT_EQ(Sha256Hex(file->module_bytes), file->manifest.sha256);
}

// A copy of the shipped policy after a change.
class Changed {
 public:
  using Change = std::function<void(PolicyManifest&, std::string& module_bytes)>;

  explicit Changed(const Change& change) {
    PolicyFile file = ReadPolicyFile(kShipped).value();
    change(file.manifest, file.module_bytes);
    directory_.Write("manifest.json", WriteManifest(file.manifest));
    directory_.Write("policy.pt", file.module_bytes);
  }

  Status Read() const { return ReadPolicyFile(directory_.path()).status(); }

 private:
  TempDirectory directory_;
};

TEST(ReadPolicyFile, NamesFileAndFieldOfWhatIsWrong) {
  struct Case {
    const char* what;
    Changed::Change change;
    const char* file;
    const char* want;
  };
  const Case cases[] = {
      {"a column that does not exist",
       [](PolicyManifest& m, std::string&) { m.columns[2] = "gpu_karma"; },
       "manifest.json: ", "columns: there is no column \"gpu_karma\"; there are pod_cpu, "},
      {"a column that takes another's place",
       [](PolicyManifest& m, std::string&) { m.columns[2] = "gpu_free_before"; },
       "manifest.json: schema_hash: must be ",
       "columns[2] is \"gpu_free_before\" but was \"gpu_free_after\""},
      {"a context column that was not there",
       [](PolicyManifest& m, std::string&) { m.context_columns = {"regime"}; },
       "manifest.json: schema_hash: ", "context_columns[0] \"regime\" was not there"},
      {"a broken manifest", [](PolicyManifest& m, std::string&) { m.name = "Mine!"; },
       "manifest.json: ", "name: must be"},
      {"another module", [](PolicyManifest&, std::string& bytes) { bytes[100] ^= 1; },
       "policy.pt: ", "is not the file that the manifest describes: its SHA-256 is "},
      {"an archive that is not one",
       [](PolicyManifest& m, std::string& bytes) {
         bytes = "weights";
         m.sha256 = Sha256Hex(bytes);
       },
       "policy.pt: ", "is not a sound TorchScript file"},
      {"a module too large",
       [](PolicyManifest&, std::string& bytes) { bytes.resize((64 << 20) + 1); },
       "policy.pt: ", "has 67108865 bytes, may have 67108864"},
  };
  for (const Case& c : cases) {
    const Status status = Changed(c.change).Read();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << c.what;
    EXPECT_THAT(std::string(status.message()),
                AllOf(StartsWith("/"), HasSubstr(c.file), HasSubstr(c.want)))
        << c.what;
  }
}

TEST(ReadPolicyFile, SaysWhichFileIsMissing) {
  TempDirectory directory;
  Status status = ReadPolicyFile(directory.path() / "nowhere").status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("nowhere/manifest.json: there is no such"));

  const PolicyFile shipped = ReadPolicyFile(kShipped).value();
  directory.Write("manifest.json", WriteManifest(shipped.manifest));
  status = ReadPolicyFile(directory.path()).status();
  EXPECT_EQ(status.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(status.message()), HasSubstr("policy.pt: there is no such file"));
}

}  // namespace
}  // namespace berth
