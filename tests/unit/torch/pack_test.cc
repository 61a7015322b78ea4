#include "torch/pack.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "berth/features.h"
#include "policy/sha256.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

const PolicyManifest kPacker{
    .libtorch = "1.13.1", .created = "2026-11-30T12:00:00Z", .created_by = "a test"};

TEST(PackManifest, WorksOutWhatFollowsFromTheFile) {
  const auto manifest = PackManifest(
      R"({"name": "mine", "version": "3", "columns": ["pod_gpu", "pod_cpu"],
          "context_columns": ["regime"], "feature_ranges": {"pod_gpu": [0, 8]},
          "training": "by hand"})",
      "the module", kPacker);
  ASSERT_TRUE(manifest.ok()) << manifest.status();
  EXPECT_EQ(manifest->name, "mine");
  EXPECT_EQ(manifest->version, "3");
  EXPECT_THAT(manifest->columns, ElementsAre("pod_gpu", "pod_cpu"));
  EXPECT_EQ(manifest->schema_hash, FeatureSchema::Make({"pod_gpu", "pod_cpu"}, {"regime"})->Hash());
  EXPECT_EQ(manifest->sha256, Sha256Hex("the module"));
  EXPECT_EQ(manifest->libtorch, kPacker.libtorch);
  EXPECT_EQ(manifest->created, kPacker.created);
  EXPECT_EQ(manifest->created_by, kPacker.created_by);
  EXPECT_EQ(manifest->training, "\"by hand\"");
  EXPECT_EQ(manifest->feature_ranges.at("pod_gpu"), (NumberRange{0, 8}));
}

TEST(PackManifest, RefusesWhatItsAuthorGotWrong) {
  struct Case {
    const char* about;
    const char* want;
  };
  const Case cases[] = {
      {"", "JSON"},
      {"[]", "must be a JSON object"},
      {"{}", "name: is missing"},
      {R"({"name": "mine", "version": "1", "context_columns": []})", "columns: is missing"},
      {R"({"name": "mine", "version": "1", "columns": [7], "context_columns": []})",
       "columns: must be a list of texts"},
      {R"({"name": "mine", "version": "1", "columns": [], "context_columns": []})",
       "columns: a policy reads at least one column"},
      {R"({"name": "mine", "version": "1", "columns": ["gpu_karma"], "context_columns": []})",
       "gpu_karma"},
      {R"({"name": "mine", "version": "1", "columns": ["pod_gpu"], "context_columns": [], "sha256": "0"})",
       "sha256: is worked out when the policy is packed; leave it out"},
      {R"({"name": "mine", "version": "1", "columns": ["pod_gpu"], "context_columns": [], "weights": 1})",
       "\"weights\": is not a key of a manifest"},
  };
  for (const Case& c : cases) {
    const auto manifest = PackManifest(c.about, "m", kPacker);
    EXPECT_EQ(manifest.status().code(), absl::StatusCode::kInvalidArgument) << c.about;
    EXPECT_THAT(std::string(manifest.status().message()), HasSubstr(c.want)) << c.about;
  }
}

}  // namespace
}  // namespace berth
