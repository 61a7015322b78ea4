#include "rollout/mounted.h"

#include <system_error>

namespace berth {

std::filesystem::path WhereFilesLie(const std::filesystem::path& directory) {
  std::error_code error;
  for (const std::filesystem::path& place : {directory / "..data", directory}) {
    std::filesystem::path resolved = std::filesystem::canonical(place, error);
    if (!error) return resolved;
  }
  return directory;
}

bool IsMounted(const std::filesystem::path& directory) {
  std::error_code error;
  return std::filesystem::exists(directory / "..data", error);
}

}  // namespace berth
