#include "torch/manifest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

const std::string kHash(64, 'a');

// A manifest in which `key` is `value`; an empty value leaves the key out.
std::string WithKey(const std::string& key, const std::string& value) {
  std::vector<std::pair<std::string, std::string>> keys = {
      {"format", "2"},
      {"name", R"("my-policy-2")"},
      {"version", R"("2026-11.a_b")"},
      {"columns", R"(["pod_cpu", "pod_gpu"])"},
      {"context_columns", R"(["regime"])"},
      {"schema_hash", '"' + kHash + '"'},
      {"sha256", '"' + std::string(64, '0') + '"'},
      {"libtorch", R"("1.13.1")"},
      {"created", R"("2026-11-30T12:00:00Z")"},
      {"created_by", R"("berth train 0.1")"}};
  const auto found = std::ranges::find(keys, key, [](const auto& k) { return k.first; });
  if (found == keys.end()) {
    keys.emplace_back(key, value);
  } else {
    found->second = value;
  }
  std::string json;
  for (const auto& [k, v] : keys) {
    if (!v.empty()) json += (json.empty() ? "{\"" : ", \"") + k + "\": " + v;
  }
  return json + "}";
}

const std::string kTraining =
    R"({"data_sha256": {"pods.csv": "00"}, "seed": 7, "commit": "abc", "hyperparameters": []})";

TEST(ParseManifest, ReadsEveryKey) {
  const auto manifest = ParseManifest(WithKey("profile", R"("openb-default-1")"));
  ASSERT_TRUE(manifest.ok()) << manifest.status();
  EXPECT_EQ(manifest->name, "my-policy-2");
  EXPECT_EQ(manifest->version, "2026-11.a_b");
  EXPECT_EQ(manifest->libtorch, "1.13.1");
  EXPECT_EQ(manifest->created, "2026-11-30T12:00:00Z");
  EXPECT_THAT(manifest->columns, ElementsAre("pod_cpu", "pod_gpu"));
  EXPECT_THAT(manifest->context_columns, ElementsAre("regime"));
  EXPECT_EQ(manifest->schema_hash, kHash);
  EXPECT_EQ(manifest->sha256, std::string(64, '0'));
  EXPECT_EQ(manifest->created_by, "berth train 0.1");
  EXPECT_THAT(manifest->training, IsEmpty());
  EXPECT_EQ(manifest->profile, "openb-default-1");
}

TEST(ParseManifest, AcceptsWhatIsOptional) {
  for (const std::string& json : {
           WithKey("context_columns", "[]"),
           WithKey("training", R"("by hand")"),
           WithKey("training", kTraining),
           WithKey("feature_ranges", "{}"),
           WithKey("feature_ranges", R"({"pod_gpu": [0, 8], "regime": [1, 1]})"),
           WithKey("results", R"({"suite": "openb", "gains": {}})"),
       }) {
    EXPECT_TRUE(ParseManifest(json).ok()) << json << ": " << ParseManifest(json).status();
  }
}

TEST(ParseManifest, RefusesAllElseByKey) {
  struct Case {
    std::string json;
    const char* want;
  };
  const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
  const Case cases[] = {
      {"", "must be a JSON object"},
      {"[]", "must be a JSON object"},
      {"{\"name\": ", "must be a JSON object"},
      {"\"\xc3\x28\"", "must be a JSON object"},
      {WithKey("training", "{\"log\": " + deep + "}"), "must be a JSON object"},
      {"{}", "format: is missing"},
      {WithKey("format", ""), "format: is missing"},
      {WithKey("format", "1"), "format: must be 2"},
      {WithKey("format", "\"2\""), "format: must be 2"},
      {WithKey("name", ""), "name: is missing"},
      {WithKey("name", "7"), "name: must be a text that is not empty"},
      {WithKey("name", "\"\""), "name: must be a text that is not empty"},
      {WithKey("name", "\"My Policy\""), "name: must be 1 to 63 characters from a-z, 0-9 and '-'"},
      {WithKey("name", "\"../x\""), "name: must be 1 to 63"},
      {WithKey("name", '"' + std::string(64, 'a') + '"'), "name: must be 1 to 63"},
      {WithKey("columns", ""), "columns: is missing"},
      {WithKey("columns", "\"pod_cpu\""), "columns: must be a list of texts"},
      {WithKey("columns", "[\"pod_cpu\", 1]"), "columns: must be a list of texts"},
      {WithKey("context_columns", ""), "context_columns: is missing"},
      {WithKey("context_columns", "null"), "context_columns: must be a list of texts"},
      {WithKey("schema_hash", "\"abc\""), "schema_hash: must be 64 lower-case hex digits"},
      {WithKey("schema_hash", '"' + std::string(64, 'A') + '"'), "schema_hash: must be 64 lower"},
      {WithKey("sha256", ""), "sha256: is missing"},
      {WithKey("sha256", '"' + std::string(64, 'g') + '"'), "sha256: must be 64 lower-case hex"},
      {WithKey("created_by", ""), "created_by: is missing"},
      {WithKey("version", ""), "version: is missing"},
      {WithKey("version", "\"1/2\""), "version: must be 1 to 63 characters from A-Z"},
      {WithKey("libtorch", "1.13"), "libtorch: must be a text that is not empty"},
      {WithKey("created", "\"yesterday\""), "created: must be a time in UTC such as 2026-11-30T"},
      {WithKey("created", "\"2026-11-30T12:00:00\""), "created: must be a time in UTC such as"},
      {WithKey("training", "[1]"), "training: must be a text or an object"},
      {WithKey("training", "{}"), "training: must have \"data_sha256\", texts by file name"},
      {WithKey("training", R"({"data_sha256": {}})"),
       "training: must have \"seed\", a whole number"},
      {WithKey("training", R"({"data_sha256": {}, "seed": 1})"), "training: must have \"commit\""},
      {WithKey("training", R"({"data_sha256": {}, "seed": 1, "commit": "c"})"),
       "training: must have \"hyperparameters\""},
      {WithKey("feature_ranges", "[]"), "feature_ranges: must be an object"},
      {WithKey("feature_ranges", R"({"gpu_free": [0, 1]})"),
       "feature_ranges: \"gpu_free\" is not among the columns"},
      {WithKey("feature_ranges", R"({"pod_gpu": [1, 0]})"),
       "feature_ranges: \"pod_gpu\" must be [least, most]"},
      {WithKey("feature_ranges", R"({"pod_gpu": 1})"), "\"pod_gpu\" must be [least, most]"},
      {WithKey("results", "{}"), "results: must be an object with \"suite\", a text"},
      {WithKey("results", "[]"), "results: must be an object with \"suite\", a text"},
      {WithKey("profile", "{}"), "profile: must be a text that is not empty"},
      {WithKey("weights", "[1]"), "\"weights\": is not a key of a manifest"},
  };
  for (const Case& c : cases) {
    const auto manifest = ParseManifest(c.json);
    EXPECT_EQ(manifest.status().code(), absl::StatusCode::kInvalidArgument) << c.want;
    EXPECT_THAT(std::string(manifest.status().message()), HasSubstr(c.want));
  }
}

TEST(WriteManifest, IsReadBack) {
  PolicyManifest manifest{.name = "p",
                          .version = "1",
                          .columns = {"pod_cpu"},
                          .context_columns = {},
                          .schema_hash = kHash,
                          .sha256 = kHash,
                          .libtorch = "1.13.1",
                          .created = "2026-11-30T12:00:00Z",
                          .created_by = "a \"quoted\" one",
                          .training = "\"by hand\"",
                          .feature_ranges = {{"pod_cpu", {0.25, 96}}},
                          .results = R"({"suite":"mine"})",
                          .profile = "mine"};
  EXPECT_EQ(ParseManifest(WriteManifest(manifest)).value(), manifest);
  manifest.training.clear();
  manifest.feature_ranges.clear();
  manifest.results.clear();
  manifest.profile.reset();
  EXPECT_EQ(ParseManifest(WriteManifest(manifest)).value(), manifest);
}

}  // namespace
}  // namespace berth
