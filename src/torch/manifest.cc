#include "torch/manifest.h"

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

void ReadTraining(Reader& reader, PolicyManifest& manifest) {
  const Json* training = reader.Find("training");
  if (training == nullptr) return;
  if (!training->is_string() && !training->is_object()) {
    return reader.Fail("training", "must be a text or an object");
  }
  manifest.training = training->dump();
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
  manifest.columns = reader.Texts("columns");
  manifest.context_columns = reader.Texts("context_columns");
  for (auto [key, hash] :
       {std::pair("schema_hash", &manifest.schema_hash), std::pair("sha256", &manifest.sha256)}) {
    *hash = reader.Text(key);
    if (!IsSha256(*hash)) reader.Fail(key, "must be 64 lower-case hex digits");
  }
  manifest.created_by = reader.Text("created_by");
  ReadTraining(reader, manifest);
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
  object["columns"] = manifest.columns;
  object["context_columns"] = manifest.context_columns;
  object["schema_hash"] = manifest.schema_hash;
  object["sha256"] = manifest.sha256;
  object["created_by"] = manifest.created_by;
  if (!manifest.training.empty()) object["training"] = Json::parse(manifest.training);
  if (manifest.profile) object["profile"] = *manifest.profile;
  return object.dump(2) + "\n";
}

}  // namespace berth
