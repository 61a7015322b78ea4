#include "apps/berth/output_file.h"

#include <fstream>
#include <nlohmann/json.hpp>

namespace berth {

Status WriteFile(const std::string& text, const std::string& path) {
  std::ofstream out(path, std::ios::binary);
  out << text;
  out.close();
  if (out) return absl::OkStatus();
  return absl::UnavailableError("cannot write " + path);
}

Status WriteJson(const nlohmann::json& report, const std::string& path) {
  return WriteFile(report.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n",
                   path);
}

}  // namespace berth
