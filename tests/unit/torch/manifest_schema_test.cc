// policies/manifest.schema.json, which other programs go by, says what the reader does.

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <valijson/adapters/nlohmann_json_adapter.hpp>
#include <valijson/schema.hpp>
#include <valijson/schema_parser.hpp>
#include <valijson/validator.hpp>
#include <vector>

#include "torch/manifest.h"

namespace berth {
namespace {

using nlohmann::json;
using valijson::adapters::NlohmannJsonAdapter;

const std::filesystem::path kPolicies = BERTH_SOURCE_DIR "/policies";

json Read(const std::filesystem::path& file) { return json::parse(std::ifstream(file)); }

class ManifestSchemaTest : public testing::Test {
 protected:
  ManifestSchemaTest() {
    valijson::SchemaParser().populateSchema(NlohmannJsonAdapter(text_), schema_);
  }

  bool Allows(const json& manifest) const {
    return valijson::Validator().validate(schema_, NlohmannJsonAdapter(manifest), nullptr);
  }

  const json text_ = Read(kPolicies / "manifest.schema.json");
  valijson::Schema schema_;
};

TEST_F(ManifestSchemaTest, AllowsThePoliciesThatAreShipped) {
  int policies = 0;
  for (const auto& entry : std::filesystem::directory_iterator(kPolicies)) {
    const std::filesystem::path file = entry.path() / "manifest.json";
    if (!std::filesystem::exists(file)) continue;
    EXPECT_TRUE(Allows(Read(file))) << file;
    ++policies;
  }
  EXPECT_GE(policies, 4);
}

TEST_F(ManifestSchemaTest, AllowsWhatTheReaderTakesAndNothingElse) {
  const std::string hash(64, 'a');
  const json good = {{"format", 2},          {"name", "mine"},
                     {"version", "1"},       {"columns", {"pod_gpu"}},
                     {"schema_hash", hash},  {"context_columns", json::array()},
                     {"sha256", hash},       {"libtorch", "1.13.1"},
                     {"created_by", "hand"}, {"created", "2026-11-30T12:00:00Z"}};
  const json training = {
      {"data_sha256", {{"f", "0"}}}, {"seed", 1}, {"commit", "c"}, {"hyperparameters", {{"a", 1}}}};
  struct Case {
    const char* key;
    std::vector<json> right, wrong;
  };
  const Case cases[] = {
      {"format", {2}, {1, 3, "2"}},
      {"name", {"a", "my-2"}, {"", "A", "a b", 7}},
      {"version", {"1.0_b-C"}, {"", "1/2", 7}},
      {"columns", {json::array(), {"pod_gpu"}}, {"pod_gpu", {1}}},
      {"context_columns", {{"regime"}}, {nullptr}},
      {"schema_hash", {hash}, {"abc", std::string(64, 'A')}},
      {"sha256", {hash}, {"", std::string(65, 'a')}},
      {"libtorch", {"2.1"}, {"", 1.13}},
      {"created", {"2026-01-01T00:00:00Z"}, {"2026-01-01", "now", 0}},
      {"created_by", {"me"}, {"", nullptr}},
      {"training", {"none", training}, {1, json::object(), json::array()}},
      {"feature_ranges", {json::object(), {{"pod_gpu", {0, 1}}}}, {1, {{"pod_gpu", {0}}}}},
      {"results", {{{"suite", "openb"}, {"more", 1}}}, {"openb", json::object(), {{"suite", ""}}}},
      {"profile", {"p"}, {"", 1}},
      {"unknown", {}, {1, "x"}},
  };
  for (const Case& c : cases) {
    const auto judge = [&](const json& value, bool right) {
      json manifest = good;
      manifest[c.key] = value;
      EXPECT_EQ(Allows(manifest), right) << manifest;
      EXPECT_EQ(ParseManifest(manifest.dump()).ok(), right)
          << manifest << ParseManifest(manifest.dump()).status();
    };
    for (const json& value : c.right) judge(value, true);
    for (const json& value : c.wrong) judge(value, false);
    json without = good;
    without.erase(c.key);
    EXPECT_EQ(Allows(without), ParseManifest(without.dump()).ok()) << "without " << c.key;
  }
}

}  // namespace
}  // namespace berth
