#include "base/staged_file.h"

#include <fmt/format.h>

#include <fstream>
#include <system_error>

namespace berth {
namespace {

std::filesystem::path Staged(const std::filesystem::path& file) { return file.string() + ".new"; }

}  // namespace

Status StageFile(const std::filesystem::path& file, std::string_view bytes) {
  std::ofstream stream(Staged(file), std::ios::binary | std::ios::trunc);
  stream << bytes;
  stream.close();
  if (stream) return absl::OkStatus();
  std::error_code ignored;
  std::filesystem::remove(Staged(file), ignored);
  return absl::UnavailableError(fmt::format("{}: cannot be written", file.string()));
}

Status PublishFile(const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::rename(Staged(file), file, error);
  if (!error) return absl::OkStatus();
  return absl::UnavailableError(
      fmt::format("{}: cannot be replaced: {}", file.string(), error.message()));
}

}  // namespace berth
