#include "apps/berth/data_path.h"

#include <string>
#include <vector>

namespace berth {

std::filesystem::path ProgramDirectory() {
  return std::filesystem::read_symlink("/proc/self/exe").parent_path();
}

Result<std::filesystem::path> FindData(const std::filesystem::path& name,
                                       const std::filesystem::path& program_directory) {
  std::vector<std::filesystem::path> places = {std::filesystem::absolute(name)};
  if (name.is_relative()) {
    places.push_back(program_directory / "../share/berth" / name);
    places.push_back(program_directory / "../../.." / name);
  }
  std::string tried;
  for (std::filesystem::path& place : places) {
    place = place.lexically_normal();
    std::error_code error;
    if (std::filesystem::exists(place, error)) return place;
    tried += (tried.empty() ? "" : ", ") + place.string();
  }
  return absl::NotFoundError("not found; looked for " + tried);
}

}  // namespace berth
