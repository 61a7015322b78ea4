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
      {"format", "1"},
      {"name", R"("my-policy-2")"},
      {"columns", R"(["pod_cpu", "pod_gpu"])"},
      {"context_columns", R"(["regime"])"},
      {"schema_hash", '"' + kHash + '"'},
      {"sha256", '"' + std::string(64, '0') + '"'},
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

TEST(ParseManifest, ReadsEveryKey) {
  const auto manifest = ParseManifest(WithKey("profile", R"("openb-default-1")"));
  ASSERT_TRUE(manifest.ok()) << manifest.status();
  EXPECT_EQ(manifest->name, "my-policy-2");
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
           WithKey("training", R"({"seed": 7, "data": ["openb"]})"),
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
      {WithKey("format", "2"), "format: must be 1"},
      {WithKey("format", "\"1\""), "format: must be 1"},
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
      {WithKey("training", "[1]"), "training: must be a text or an object"},
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
                          .columns = {"pod_cpu"},
                          .context_columns = {},
                          .schema_hash = kHash,
                          .sha256 = kHash,
                          .created_by = "a \"quoted\" one",
                          .training = R"({"seed":7})",
                          .profile = "mine"};
  EXPECT_EQ(ParseManifest(WriteManifest(manifest)).value(), manifest);
  manifest.training.clear();
  manifest.profile.reset();
  EXPECT_EQ(ParseManifest(WriteManifest(manifest)).value(), manifest);
}

}  // namespace
}  // namespace berth
