#include "apps/berth/policy_description.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace berth {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;

PolicyFile File() {
  const FeatureSchema schema =
      FeatureSchema::Make({"pod_gpu", "gpu_free_before"}, {"regime"}).value();
  return {.manifest = {.name = "mine",
                       .version = "3",
                       .columns = schema.columns(),
                       .context_columns = schema.context_columns(),
                       .schema_hash = schema.Hash(),
                       .sha256 = std::string(64, 'a'),
                       .libtorch = "1.13.1",
                       .created = "2026-11-30T12:00:00Z",
                       .created_by = "a test",
                       .training = R"({"data_sha256": {"a": "0", "b": "1"}, "seed": 7,
                                       "commit": "abc", "hyperparameters": []})",
                       .feature_ranges = {{"pod_gpu", {0, 8}}},
                       .results = R"({"suite": "openb", "mean_gain_at_100": 1.61,
                                      "gains": {"default": {}, "cpu050": {}}})"},
          .schema = schema,
          .module_bytes = "12345"};
}

TEST(DescribePolicy, TellsWhatItIsAndWhatItReads) {
  EXPECT_THAT(
      DescribePolicy(File()),
      AllOf(HasSubstr("mine, version 3\n"), HasSubstr("5 bytes, SHA-256 aaaa"),
            HasSubstr("made        2026-11-30T12:00:00Z by a test, libtorch 1.13.1\n"),
            HasSubstr("trained on  2 files, seed 7, commit abc\n"),
            HasSubstr("openb: +1.61 points of allocation beside fgd at 100 % arrived, mean of 2"),
            HasSubstr("made for    any mix of work\n"), HasSubstr("2 columns of a placement"),
            HasSubstr("  pod_gpu          0 .. 8  "), HasSubstr("  gpu_free_before  -  "),
            HasSubstr("1 columns of the cluster")));
}

TEST(DescribePolicy, SaysWhatIsNotKnown) {
  PolicyFile file = File();
  file.manifest.training.clear();
  file.manifest.results.clear();
  file.manifest.profile = "openb-1";
  EXPECT_THAT(DescribePolicy(file),
              AllOf(HasSubstr("trained on  not told\n"), HasSubstr("results     none yet"),
                    HasSubstr("made for    profile openb-1\n")));
}

TEST(PolicyAsJson, HoldsTheManifestAndTheMeaningOfColumns) {
  const auto json = PolicyAsJson(File());
  EXPECT_EQ(json.at("policy_pt_bytes"), 5);
  EXPECT_EQ(json.at("manifest").at("version"), "3");
  EXPECT_EQ(json.at("columns").size(), 3);
  EXPECT_NE(json.at("columns").at("gpu_free_before").at("meaning"), "");
}

}  // namespace
}  // namespace berth
