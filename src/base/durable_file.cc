#include "base/durable_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace berth {
namespace {

// What `errno` says.
Status NotWritten(const std::filesystem::path& file) {
  return absl::UnavailableError(fmt::format("{}: cannot be written: {}", file.string(),
                                            std::generic_category().message(errno)));
}

// False, and errno set, when not all went through.
bool WriteAll(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t written = write(descriptor, bytes.data(), bytes.size());
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return false;
    bytes.remove_prefix(static_cast<size_t>(written));
  }
  return true;
}

// Devices and pipes have nothing to wait for.
bool IsOnDisk(int descriptor) { return fsync(descriptor) == 0 || errno == EINVAL; }

Status Append(int descriptor, std::string_view bytes, const std::filesystem::path& file) {
  struct stat before {};
  if (fstat(descriptor, &before) != 0) return NotWritten(file);
  if (WriteAll(descriptor, bytes) && IsOnDisk(descriptor)) return absl::OkStatus();
  Status failed = NotWritten(file);
  // Nothing can be done where even that fails, as on a device.
  static_cast<void>(ftruncate(descriptor, before.st_size) == 0);
  return failed;
}

}  // namespace

Status AppendDurably(const std::filesystem::path& file, std::string_view bytes) {
  const int descriptor = open(file.c_str(), O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (descriptor < 0) return NotWritten(file);
  Status appended = Append(descriptor, bytes, file);
  if (close(descriptor) != 0 && appended.ok()) return NotWritten(file);
  return appended;
}

}  // namespace berth
