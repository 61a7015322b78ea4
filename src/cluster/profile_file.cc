#include "cluster/profile_file.h"

#include <cstdint>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <utility>
#include <vector>

#include "base/bounded_file.h"
#include "base/json_field.h"

namespace berth {
namespace {

// Beyond any real class, and small enough that sums over a profile stay far within int64.
constexpr int64_t kMostMilliCpu = 10'000'000;
constexpr int64_t kMostPods = 1'000'000'000;
constexpr size_t kMaxFileBytes = size_t{16} << 20;

Result<AllowedModels> ReadModels(const JsonField& field) {
  const Result<std::vector<JsonField>> elements = field.Elements();
  if (!elements.ok()) return elements.status();
  if (elements->empty()) return field.Wrong("at least one model, or left out to accept any");
  std::vector<std::string> models;
  for (const JsonField& element : *elements) {
    Result<std::string> model = element.NonEmptyString();
    if (!model.ok()) return model.status();
    models.push_back(*std::move(model));
  }
  return AllowedModels(std::move(models));
}

// How much of each GPU, given their number.
Result<int64_t> ReadShare(const JsonField& field, int64_t gpus) {
  if (gpus == 1) return field.Integer(1, kWholeGpu.value());
  const int64_t only = gpus == 0 ? 0 : kWholeGpu.value();
  const Result<int64_t> share = field.Integer(only, only);
  if (share.ok()) return share;
  return field.Wrong(gpus == 0 ? "0 without GPUs" : "1000, as several GPUs are whole ones");
}

Result<ClassCount> ReadClass(const JsonField& field) {
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

Result<WorkloadProfile> ReadProfile(const JsonField& file) {
  const Status keys = file.CheckKeys({"version", "classes"}, {"source"});
  if (!keys.ok()) return keys;
  const Result<std::string> version = file["version"].NonEmptyString();
  if (!version.ok()) return version.status();
  if (file.Has("source")) {
    const Result<std::string> source = file["source"].NonEmptyString();
    if (!source.ok()) return source.status();
  }
  const Result<std::vector<JsonField>> elements = file["classes"].Elements();
  if (!elements.ok()) return elements.status();
  std::vector<ClassCount> classes;
  for (const JsonField& element : *elements) {
    Result<ClassCount> entry = ReadClass(element);
    if (!entry.ok()) return entry.status();
    classes.push_back(*std::move(entry));
  }
  return WorkloadProfile(*version, classes);
}

}  // namespace

Result<WorkloadProfile> ParseProfile(std::string_view text, std::string_view file) {
  const Result<nlohmann::json> document = ParseJsonDocument(text);
  const Result<WorkloadProfile> profile =
      document.ok() ? ReadProfile(JsonField(*document)) : document.status();
  if (profile.ok()) return profile;
  return absl::InvalidArgumentError(std::string(file) + ": " +
                                    std::string(profile.status().message()));
}

std::string ProfileJson(const WorkloadProfile& profile) {
  nlohmann::ordered_json classes = nlohmann::ordered_json::array();
  for (const ClassCount& entry : profile.classes()) {
    const PodClass& pods = entry.pod_class;
    nlohmann::ordered_json object = {{"cpu_milli", pods.cpu.value()},
                                     {"gpus", pods.gpus},
                                     {"gpu_milli", pods.per_gpu.value()},
                                     {"count", entry.count}};
    if (!pods.models.AllowsAny()) object["models"] = pods.models.alternatives();
    classes.push_back(std::move(object));
  }
  const nlohmann::ordered_json file = {{"version", profile.version()},
                                       {"classes", std::move(classes)}};
  return file.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

Result<WorkloadProfile> LoadProfile(const std::string& path) {
  const Result<std::string> text = ReadBounded(std::filesystem::path(path), kMaxFileBytes);
  if (text.ok()) return ParseProfile(*text, path);
  if (!absl::IsNotFound(text.status())) return text.status();
  return absl::NotFoundError(path + ": there is no such file that can be read");
}

}  // namespace berth
