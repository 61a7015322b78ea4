#include "torch/manifest.h"

#include <absl/strings/ascii.h>
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/log.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;  // keeps the order in which keys are written

// Takes keys out of an object one by one; the first error stays.
class Reader {
 public:
  explicit Reader(const Json& object) : object_(object) {}

  // Null, and an error, when the key is missing.
  const Json* Require(const std::string& key) {
    const Json* value = Find(key);
    if (value == nullptr) Fail(key, "is missing");
    return value;
  }

  // Null when the key is missing.
  const Json* Find(const std::string& key) {
    known_.insert(key);
    const auto found = object_.find(key);
    return found == object_.end() ? nullptr : &*found;
  }

  std::string Text(const std::string& key) { return Text(key, Require(key)); }

  std::string Text(const std::string& key, const Json* value) {
    if (value == nullptr) return {};
    if (value->is_string() && !value->get_ref<const std::string&>().empty()) return *value;
    Fail(key, "must be a text that is not empty");
    return {};
  }

  std::vector<std::string> Texts(const std::string& key) {
    const Json* value = Require(key);
    if (value == nullptr) return {};
    const bool texts = value->is_array() && std::ranges::all_of(*value, [](const Json& element) {
                         return element.is_string();
                       });
    if (texts) return *value;
    Fail(key, "must be a list of texts");
    return {};
  }

  void Fail(const std::string& key, std::string_view why) {
    if (status_.ok()) status_ = absl::InvalidArgumentError(fmt::format("{}: {}", key, why));
  }

  // Also fails on a key that nobody asked for.
  Status Finish() {
    for (const auto& [key, value] : object_.items()) {
      if (!known_.contains(key)) Fail(Quoted(key), "is not a key of a manifest");
    }
    return status_;
  }

 private:
  const Json& object_;
  std::set<std::string> known_;
  Status status_;
};

bool IsPolicyName(std::string_view name) {
  const auto allowed = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '-';
  };
  return !name.empty() && name.size() <= 63 && std::ranges::all_of(name, allowed);
}

bool IsSha256(std::string_view text) {
  return text.size() == 64 && text.find_first_not_of("0123456789abcdef") == text.npos;
}

bool IsVersion(std::string_view text) {
  const auto allowed = [](unsigned char c) {
    return absl::ascii_isalnum(c) || c == '.' || c == '_' || c == '-';
  };
  return !text.empty() && text.size() <= 63 && std::ranges::all_of(text, allowed);
}

// 2026-11-30T12:00:00Z
bool IsUtcTime(std::string_view text) {
  constexpr std::string_view kForm = "dddd-dd-ddTdd:dd:ddZ";
  return std::ranges::equal(text, kForm, [](unsigned char c, char form) {
    return form == 'd' ? absl::ascii_isdigit(c) : c == form;
  });
}

bool IsText(const Json& value) { return value.is_string() && !value.get<std::string>().empty(); }

// What is wrong with the object under `training`; empty: nothing.
std::string_view WrongInTraining(const Json& training) {
  const auto has = [&](const char* key, bool (*is_right)(const Json&)) {
    const auto found = training.find(key);
    return found != training.end() && is_right(*found);
  };
  const auto are_texts = [](const Json& hashes) {
    return hashes.is_object() && std::ranges::all_of(hashes, IsText);
  };
  if (!has("data_sha256", are_texts)) return "must have \"data_sha256\", texts by file name";
  const auto is_seed = [](const Json& seed) { return seed.is_number_unsigned(); };
  if (!has("seed", is_seed)) return "must have \"seed\", a whole number";
  if (!has("commit", IsText)) return "must have \"commit\", a text";
  const auto is_any = [](const Json&) { return true; };
  if (!has("hyperparameters", is_any)) return "must have \"hyperparameters\"";
  return "";
}

void ReadTraining(Reader& reader, PolicyManifest& manifest) {
  const Json* training = reader.Find("training");
  if (training == nullptr) return;
  if (!training->is_string() && !training->is_object()) {
    return reader.Fail("training", "must be a text or an object");
  }
  const std::string_view wrong = training->is_object() ? WrongInTraining(*training) : "";
  if (!wrong.empty()) return reader.Fail("training", wrong);
  manifest.training = training->dump();
}

void ReadResults(Reader& reader, PolicyManifest& manifest) {
  const Json* results = reader.Find("results");
  if (results == nullptr) return;
  const auto suite = results->is_object() ? results->find("suite") : results->end();
  if (suite == results->end() || !IsText(*suite)) {
    return reader.Fail("results", "must be an object with \"suite\", a text");
  }
  manifest.results = results->dump();
}

std::optional<NumberRange> RangeIn(const Json& json) {
  const bool is_pair = json.is_array() && json.size() == 2 && json[0].is_number() &&
                       json[1].is_number() && json[0] <= json[1];
  if (!is_pair) return std::nullopt;
  return NumberRange{json[0], json[1]};
}

// REQUIRES: the lists of columns are read.
void ReadRanges(Reader& reader, PolicyManifest& manifest) {
  const std::string key = "feature_ranges";
  const Json* ranges = reader.Find(key);
  if (ranges == nullptr) return;
  if (!ranges->is_object()) return reader.Fail(key, "must be an object");
  const auto is_in = [](const std::vector<std::string>& columns, const std::string& column) {
    return std::ranges::find(columns, column) != columns.end();
  };
  for (const auto& [column, json] : ranges->items()) {
    if (!is_in(manifest.columns, column) && !is_in(manifest.context_columns, column)) {
      return reader.Fail(key, fmt::format("{} is not among the columns", Quoted(column)));
    }
    const std::optional<NumberRange> range = RangeIn(json);
    if (!range) {
      return reader.Fail(key, fmt::format("{} must be [least, most]", Quoted(column)));
    }
    manifest.feature_ranges.emplace(column, *range);
  }
}

PolicyManifest ReadKeys(Reader& reader) {
  PolicyManifest manifest;
  const Json* format = reader.Require("format");
  if (format != nullptr && *format != PolicyManifest::kFormat) {
    reader.Fail("format", fmt::format("must be {}", PolicyManifest::kFormat));
  }
  manifest.name = reader.Text("name");
  if (!IsPolicyName(manifest.name)) {
    reader.Fail("name", "must be 1 to 63 characters from a-z, 0-9 and '-'");
  }
  manifest.version = reader.Text("version");
  if (!IsVersion(manifest.version)) {
    reader.Fail("version", "must be 1 to 63 characters from A-Z, a-z, 0-9, '.', '_' and '-'");
  }
  manifest.columns = reader.Texts("columns");
  manifest.context_columns = reader.Texts("context_columns");
  for (auto [key, hash] :
       {std::pair("schema_hash", &manifest.schema_hash), std::pair("sha256", &manifest.sha256)}) {
    *hash = reader.Text(key);
    if (!IsSha256(*hash)) reader.Fail(key, "must be 64 lower-case hex digits");
  }
  manifest.libtorch = reader.Text("libtorch");
  manifest.created = reader.Text("created");
  if (!IsUtcTime(manifest.created)) {
    reader.Fail("created", "must be a time in UTC such as 2026-11-30T12:00:00Z");
  }
  manifest.created_by = reader.Text("created_by");
  ReadTraining(reader, manifest);
  ReadRanges(reader, manifest);
  ReadResults(reader, manifest);
  if (const Json* profile = reader.Find("profile")) {
    manifest.profile = reader.Text("profile", profile);
  }
  return manifest;
}

// Null unless the text is JSON that is not deeper nested than anyone writes: dumping recurses.
Json ParseShallow(std::string_view text) {
  constexpr int kMaxDepth = 32;
  bool too_deep = false;
  const auto watch_depth = [&](int depth, Json::parse_event_t, Json&) {
    too_deep = too_deep || depth > kMaxDepth;
    return !too_deep;
  };
  Json json = Json::parse(text, watch_depth, /*allow_exceptions=*/false);
  return too_deep ? Json() : json;
}

}  // namespace

Result<PolicyManifest> ParseManifest(std::string_view json) {
  const Json object = ParseShallow(json);
  if (!object.is_object()) return absl::InvalidArgumentError("must be a JSON object");
  Reader reader(object);
  PolicyManifest manifest = ReadKeys(reader);
  if (Status status = reader.Finish(); !status.ok()) return status;
  return manifest;
}

std::string WriteManifest(const PolicyManifest& manifest) {
  Json object;
  object["format"] = PolicyManifest::kFormat;
  object["name"] = manifest.name;
  object["version"] = manifest.version;
  object["columns"] = manifest.columns;
  object["context_columns"] = manifest.context_columns;
  object["schema_hash"] = manifest.schema_hash;
  object["sha256"] = manifest.sha256;
  object["libtorch"] = manifest.libtorch;
  object["created"] = manifest.created;
  object["created_by"] = manifest.created_by;
  if (!manifest.training.empty()) object["training"] = Json::parse(manifest.training);
  for (const auto& [column, range] : manifest.feature_ranges) {
    object["feature_ranges"][column] = {range.least, range.most};
  }
  if (!manifest.results.empty()) object["results"] = Json::parse(manifest.results);
  if (manifest.profile) object["profile"] = *manifest.profile;
  return object.dump(2) + "\n";
}

}  // namespace berth
