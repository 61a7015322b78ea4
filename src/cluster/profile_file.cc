#include "cluster/profile_file.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <utility>
#include <vector>

#include "base/bounded_file.h"
#include "base/log.h"

namespace berth {
namespace {

using nlohmann::json;

// Beyond any real class, and small enough that sums over a profile stay far within int64.
constexpr int64_t kMostMilliCpu = 10'000'000;
constexpr int64_t kMostPods = 1'000'000'000;
constexpr size_t kMaxFileBytes = size_t{16} << 20;
constexpr int kMaxDepth = 32;

// A value of the file and the path that leads to it, such as "classes[3].count".
class Field {
 public:
  Field(const json& value, std::string path) : value_(value), path_(std::move(path)) {}

  Status Wrong(std::string_view what_would_be_right) const {
    return absl::InvalidArgumentError(path_ + " is " + Quoted(Text()) + "; it should be " +
                                      std::string(what_would_be_right));
  }

  // OK when this is an object that has every key of `required` and none but those and `optional`.
  Status CheckKeys(std::initializer_list<std::string_view> required,
                   std::initializer_list<std::string_view> optional) const;

  // REQUIRES: CheckKeys was OK, and the key is there.
  Field operator[](const std::string& key) const {
    return {value_.at(key), path_.empty() ? key : path_ + "." + key};
  }
  bool Has(const std::string& key) const { return value_.contains(key); }

  Result<int64_t> Integer(int64_t least, int64_t most) const;
  Result<std::string> NonEmptyString() const;
  Result<std::vector<Field>> Elements() const;

 private:
  std::string Text() const { return value_.dump(-1, ' ', false, json::error_handler_t::replace); }
  std::string Name() const { return path_.empty() ? "the file" : path_; }

  const json& value_;
  std::string path_;
};

bool Contains(std::initializer_list<std::string_view> keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

Status Field::CheckKeys(std::initializer_list<std::string_view> required,
                        std::initializer_list<std::string_view> optional) const {
  if (!value_.is_object()) {
    return absl::InvalidArgumentError(Name() + " should be a JSON object in braces");
  }
  for (const auto& [key, value] : value_.items()) {
    if (Contains(required, key) || Contains(optional, key)) continue;
    return absl::InvalidArgumentError(Name() + " has the unknown key " + Quoted(key));
  }
  for (const std::string_view key : required) {
    if (value_.contains(key)) continue;
    return absl::InvalidArgumentError(Name() + " lacks the key " + Quoted(key));
  }
  return absl::OkStatus();
}

Result<int64_t> Field::Integer(int64_t least, int64_t most) const {
  // An integer beyond int64 is unsigned here, and above every `most`.
  const bool in_range = value_.is_number_integer() && value_ >= least && value_ <= most;
  if (in_range) return value_.get<int64_t>();
  return Wrong("a whole number from " + std::to_string(least) + " to " + std::to_string(most));
}

Result<std::string> Field::NonEmptyString() const {
  if (!value_.is_string() || value_.get_ref<const std::string&>().empty()) {
    return Wrong("a string that is not empty");
  }
  return value_.get<std::string>();
}

Result<std::vector<Field>> Field::Elements() const {
  if (!value_.is_array()) return Wrong("a list in brackets");
  std::vector<Field> elements;
  for (size_t i = 0; i < value_.size(); ++i) {
    elements.emplace_back(value_[i], path_ + "[" + std::to_string(i) + "]");
  }
  return elements;
}

Result<AllowedModels> ReadModels(const Field& field) {
  const Result<std::vector<Field>> elements = field.Elements();
  if (!elements.ok()) return elements.status();
  if (elements->empty()) return field.Wrong("at least one model, or left out to accept any");
  std::vector<std::string> models;
  for (const Field& element : *elements) {
    Result<std::string> model = element.NonEmptyString();
    if (!model.ok()) return model.status();
    models.push_back(*std::move(model));
  }
  return AllowedModels(std::move(models));
}

// How much of each GPU, given their number.
Result<int64_t> ReadShare(const Field& field, int64_t gpus) {
  if (gpus == 1) return field.Integer(1, kWholeGpu.value());
  const int64_t only = gpus == 0 ? 0 : kWholeGpu.value();
  const Result<int64_t> share = field.Integer(only, only);
  if (share.ok()) return share;
  return field.Wrong(gpus == 0 ? "0 without GPUs" : "1000, as several GPUs are whole ones");
}

Result<ClassCount> ReadClass(const Field& field) {
  const Status keys = field.CheckKeys({"cpu_milli", "gpus", "gpu_milli", "count"}, {"models"});
  if (!keys.ok()) return keys;
  const Result<int64_t> cpu = field["cpu_milli"].Integer(0, kMostMilliCpu);
  if (!cpu.ok()) return cpu.status();
  const Result<int64_t> gpus = field["gpus"].Integer(0, kMaxGpusPerNode);
  if (!gpus.ok()) return gpus.status();
  const Result<int64_t> share = ReadShare(field["gpu_milli"], *gpus);
  if (!share.ok()) return share.status();
  const Result<int64_t> count = field["count"].Integer(1, kMostPods);
  if (!count.ok()) return count.status();

  ClassCount result{.pod_class = {.cpu = MilliCpu(*cpu),
                                  .per_gpu = MilliGpu(*share),
                                  .gpus = static_cast<int>(*gpus)},
                    .count = *count};
  if (!field.Has("models")) return result;
  if (*gpus == 0) return field["models"].Wrong("left out of a class without GPUs");
  Result<AllowedModels> models = ReadModels(field["models"]);
  if (!models.ok()) return models.status();
  result.pod_class.models = *std::move(models);
  return result;
}

Result<WorkloadProfile> ReadProfile(const Field& file) {
  const Status keys = file.CheckKeys({"version", "classes"}, {"source"});
  if (!keys.ok()) return keys;
  const Result<std::string> version = file["version"].NonEmptyString();
  if (!version.ok()) return version.status();
  if (file.Has("source")) {
    const Result<std::string> source = file["source"].NonEmptyString();
    if (!source.ok()) return source.status();
  }
  const Result<std::vector<Field>> elements = file["classes"].Elements();
  if (!elements.ok()) return elements.status();
  std::vector<ClassCount> classes;
  for (const Field& element : *elements) {
    Result<ClassCount> entry = ReadClass(element);
    if (!entry.ok()) return entry.status();
    classes.push_back(*std::move(entry));
  }
  return WorkloadProfile(*version, classes);
}

// Not deeper nested than any profile: quoting a value recurses.
Result<json> ParseJson(std::string_view text) {
  const auto watch_depth = [](int depth, json::parse_event_t, json&) {
    if (depth > kMaxDepth) throw std::length_error("nested deeper than 32 levels");
    return true;
  };
  try {
    return json::parse(text, watch_depth);
  } catch (const std::exception& error) {
    return absl::InvalidArgumentError(std::string("this is not JSON: ") + error.what());
  }
}

}  // namespace

Result<WorkloadProfile> ParseProfile(std::string_view text, std::string_view file) {
  const Result<json> document = ParseJson(text);
  const Result<WorkloadProfile> profile =
      document.ok() ? ReadProfile(Field(*document, "")) : document.status();
  if (profile.ok()) return profile;
  return absl::InvalidArgumentError(std::string(file) + ": " +
                                    std::string(profile.status().message()));
}

Result<WorkloadProfile> LoadProfile(const std::string& path) {
  const Result<std::string> text = ReadBounded(std::filesystem::path(path), kMaxFileBytes);
  if (text.ok()) return ParseProfile(*text, path);
  if (!absl::IsNotFound(text.status())) return text.status();
  return absl::NotFoundError(path + ": there is no such file that can be read");
}

}  // namespace berth
