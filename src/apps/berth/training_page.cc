#include "apps/berth/training_page.h"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>
#include <vector>

#include "base/version.h"

namespace berth {
namespace {

using Json = nlohmann::json;

Json LinesOf(std::string_view log) {
  Json lines = Json::array();
  while (!log.empty()) {
    const size_t end = log.find('\n');
    Json line = Json::parse(log.substr(0, end), nullptr, /*allow_exceptions=*/false);
    if (line.is_object()) lines.push_back(std::move(line));
    log.remove_prefix(end == log.npos ? log.size() : end + 1);
  }
  return lines;
}

// "openb_pod_list_default.csv" is what everybody calls default.
std::string ListName(const std::string& file) {
  constexpr std::string_view kPrefix = "openb_pod_list_";
  const std::string name = std::filesystem::path(file).stem();
  return name.starts_with(kPrefix) ? name.substr(kPrefix.size()) : name;
}

Json ListNames(const std::vector<std::string>& files) {
  Json names = Json::array();
  for (const std::string& file : files) names.push_back(ListName(file));
  return names;
}

}  // namespace

Json TrainingPageData(const Recipe& recipe, std::string_view log) {
  Json pods = {{NameOf(Regime::kPacking), ListNames(recipe.packing.pods)}};
  if (recipe.living) pods[std::string(NameOf(Regime::kLiving))] = ListNames(recipe.living->pods);
  return {{"version", Version()},
          {"name", recipe.name},
          {"pods", std::move(pods)},
          {"lines", LinesOf(log)}};
}

}  // namespace berth
