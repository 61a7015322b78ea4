#include "base/staged_file.h"

#include <fmt/format.h>

#include <system_error>

#include "base/durable_file.h"

namespace berth {
namespace {

std::filesystem::path Staged(const std::filesystem::path& file) { return file.string() + ".new"; }

}  // namespace

Status StageFile(const std::filesystem::path& file, std::string_view bytes) {
  DropStagedFile(file);  // of a program that was killed
  Status written = AppendDurably(Staged(file), bytes);
  if (!written.ok()) DropStagedFile(file);
  return written;
}

void DropStagedFile(const std::filesystem::path& file) {
  std::error_code ignored;
  std::filesystem::remove(Staged(file), ignored);
}

Status PublishFile(const std::filesystem::path& file) {
  std::error_code error;
  std::filesystem::rename(Staged(file), file, error);
  if (!error) return absl::OkStatus();
  return absl::UnavailableError(
      fmt::format("{}: cannot be replaced: {}", file.string(), error.message()));
}

}  // namespace berth
