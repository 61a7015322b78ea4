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

}  // namespace berth
