#include "apps/berth/policy_description.h"

#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "berth/features.h"

namespace berth {
namespace {

using Json = nlohmann::ordered_json;

const FeatureColumn& About(const std::string& name) {
  for (const std::span<const FeatureColumn> table : {PlacementColumns(), ContextColumns()}) {
    const auto found = std::ranges::find(table, name, &FeatureColumn::name);
    if (found != table.end()) return *found;
  }
  static constexpr FeatureColumn kUnknown{"", "", ""};
  return kUnknown;
}

std::string TrainingText(const PolicyManifest& manifest) {
  if (manifest.training.empty()) return "not told";
  const Json training = Json::parse(manifest.training);
  if (training.is_string()) return training;
  return fmt::format("{} files, seed {}, commit {}", training.at("data_sha256").size(),
                     training.at("seed").get<uint64_t>(), training.at("commit").get<std::string>());
}

std::string ResultsText(const PolicyManifest& manifest) {
  if (manifest.results.empty()) return "none yet (berth policy measure)";
  const Json results = Json::parse(manifest.results);
  std::string text = results.at("suite");
  if (results.contains("mean_gain_at_100") && results["mean_gain_at_100"].is_number()) {
    text +=
        fmt::format(": {:+.2f} points of allocation beside fgd at 100 % arrived, mean of {} mixes",
                    results["mean_gain_at_100"].get<double>(), results["gains"].size());
  }
  return text;
}

std::string RangeText(const PolicyManifest& manifest, const std::string& column) {
  const auto range = manifest.feature_ranges.find(column);
  if (range == manifest.feature_ranges.end()) return "-";
  return fmt::format("{:.4g} .. {:.4g}", range->second.least, range->second.most);
}

std::string ColumnsText(const PolicyManifest& manifest, const std::vector<std::string>& columns) {
  size_t width = 0;
  for (const std::string& column : columns) width = std::max(width, column.size());
  std::string text;
  for (const std::string& column : columns) {
    const FeatureColumn& about = About(column);
    text += fmt::format("  {:<{}}  {:<20}  {} ({})\n", column, width, RangeText(manifest, column),
                        about.meaning, about.unit);
  }
  return text;
}

}  // namespace

std::string DescribePolicy(const PolicyFile& file) {
  const PolicyManifest& manifest = file.manifest;
  std::string text = fmt::format(
      "{}, version {}\n"
      "  policy.pt   {} bytes, SHA-256 {}\n"
      "  made        {} by {}, libtorch {}\n"
      "  trained on  {}\n"
      "  results     {}\n"
      "  made for    {}\n",
      manifest.name, manifest.version, file.module_bytes.size(), manifest.sha256, manifest.created,
      manifest.created_by, manifest.libtorch, TrainingText(manifest), ResultsText(manifest),
      manifest.profile ? "profile " + *manifest.profile : "any mix of work");
  text +=
      fmt::format("\n{} columns of a placement, what they held in training, what they mean:\n{}",
                  manifest.columns.size(), ColumnsText(manifest, manifest.columns));
  if (manifest.context_columns.empty()) return text;
  return text + fmt::format("\n{} columns of the cluster:\n{}", manifest.context_columns.size(),
                            ColumnsText(manifest, manifest.context_columns));
}

nlohmann::ordered_json PolicyAsJson(const PolicyFile& file) {
  Json json = {{"policy_pt_bytes", file.module_bytes.size()},
               {"manifest", Json::parse(WriteManifest(file.manifest))}};
  for (const auto* columns : {&file.manifest.columns, &file.manifest.context_columns}) {
    for (const std::string& column : *columns) {
      const FeatureColumn& about = About(column);
      json["columns"][column] = {{"unit", about.unit}, {"meaning", about.meaning}};
    }
  }
  return json;
}

}  // namespace berth
