#include "bench/report.h"

#include <cmath>
#include <cstdio>
#include <fstream>

namespace berth {
namespace {

// Three digits are more than any run repeats.
double Rounded(double value) {
  if (value == 0) return 0;
  const double step = std::pow(10, std::floor(std::log10(std::abs(value))) - 2);
  return step >= 1 ? std::round(value) : std::round(value / step) * step;
}

}  // namespace

void Report::Section(const std::string& title) {
  std::printf("\n%s\n", title.c_str());
  std::fflush(stdout);
}

void Report::Add(const std::string& field, double value) {
  // Through text, so that 0.123 does not become 0.12300000000000001.
  char text[32];
  std::snprintf(text, sizeof(text), "%.12g", Rounded(value));
  fields_[field] = nlohmann::ordered_json::parse(text);
  std::printf("  %-58s %12s\n", field.c_str(), text);
  std::fflush(stdout);
}

void Report::Add(const std::string& field, const std::string& text) {
  fields_[field] = text;
  std::printf("  %-58s %12s\n", field.c_str(), text.c_str());
}

void Report::AddRatio(const std::string& field, const std::string& of, const std::string& to) {
  if (!fields_.contains(of) || !fields_.contains(to)) return;
  Add(field, fields_[of].get<double>() / fields_[to].get<double>());
}

Status Report::Write(const std::filesystem::path& path) const {
  if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path());
  std::ofstream file(path);
  file << fields_.dump(2) << "\n";
  if (file.flush()) return {};
  return absl::UnavailableError("cannot write " + path.string());
}

}  // namespace berth
