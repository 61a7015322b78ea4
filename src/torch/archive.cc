#include "torch/archive.h"

#include <fmt/format.h>

#include <cstring>

#include "base/log.h"

namespace berth {
namespace {

// The format: PKWARE's APPNOTE.TXT 6.3, sections 4.3.12 (directory), 4.3.14 to 4.3.16 (its end).
constexpr uint32_t kEntrySignature = 0x02014b50;
constexpr uint32_t kEndSignature = 0x06054b50;
constexpr uint32_t kEnd64Signature = 0x06064b50;
constexpr uint32_t kLocator64Signature = 0x07064b50;
constexpr size_t kEntryBytes = 46, kEndBytes = 22, kLocator64Bytes = 20, kEnd64Bytes = 56;
constexpr uint16_t kStored = 0, kDeflated = 8, kEncrypted = 1;

// A little-endian number at `offset`; the caller has checked that it is there.
template <class T>
T Read(std::string_view bytes, size_t offset) {
  T value;
  std::memcpy(&value, bytes.data() + offset, sizeof(value));
  return value;
}

Status Bad(std::string_view why) {
  return absl::InvalidArgumentError(fmt::format("is not a sound TorchScript file: {}", why));
}

struct Directory {
  uint64_t entries = 0, bytes = 0, offset = 0;

  bool operator==(const Directory&) const = default;
};

// libtorch prefers the 64-bit record where there is one, so it must say the same.
bool AgreesWithEnd64(std::string_view bytes, size_t end, const Directory& directory) {
  if (end < kLocator64Bytes) return true;
  const size_t locator = end - kLocator64Bytes;
  if (Read<uint32_t>(bytes, locator) != kLocator64Signature) return true;
  const auto at = Read<uint64_t>(bytes, locator + 8);
  if (locator < kEnd64Bytes || at > locator - kEnd64Bytes) return false;
  return Read<uint32_t>(bytes, at) == kEnd64Signature &&
         directory == Directory{.entries = Read<uint64_t>(bytes, at + 32),
                                .bytes = Read<uint64_t>(bytes, at + 40),
                                .offset = Read<uint64_t>(bytes, at + 48)};
}

Result<Directory> FindDirectory(std::string_view bytes) {
  if (bytes.size() < kEndBytes) return Bad("it is too short for a zip archive");
  const size_t end = bytes.size() - kEndBytes;
  if (Read<uint32_t>(bytes, end) != kEndSignature) return Bad("it does not end as a zip archive");
  const Directory directory{.entries = Read<uint16_t>(bytes, end + 10),
                            .bytes = Read<uint32_t>(bytes, end + 12),
                            .offset = Read<uint32_t>(bytes, end + 16)};
  if (directory.offset > end || directory.bytes > end - directory.offset) {
    return Bad("its directory lies outside the file");
  }
  if (!AgreesWithEnd64(bytes, end, directory)) return Bad("it has two directories that differ");
  return directory;
}

// Takes the next entry off `rest`; adds its unpacked size to `unpacked`.
Status CheckEntry(std::string_view& rest, uint64_t directory_offset, uint64_t& unpacked) {
  if (rest.size() < kEntryBytes || Read<uint32_t>(rest, 0) != kEntrySignature) {
    return Bad("its directory is torn");
  }
  const auto flags = Read<uint16_t>(rest, 8), method = Read<uint16_t>(rest, 10);
  const uint64_t packed_size = Read<uint32_t>(rest, 20), size = Read<uint32_t>(rest, 24);
  const size_t name_bytes = Read<uint16_t>(rest, 28);
  const uint64_t offset = Read<uint32_t>(rest, 42);
  const size_t bytes =
      kEntryBytes + name_bytes + Read<uint16_t>(rest, 30) + Read<uint16_t>(rest, 32);
  if (bytes > rest.size()) return Bad("its directory is torn");
  const std::string_view name = rest.substr(kEntryBytes, name_bytes);
  rest.remove_prefix(bytes);

  const auto bad = [&](std::string_view why) {
    return Bad(fmt::format("entry {} {}", Quoted(name), why));
  };
  if (offset > directory_offset || packed_size > directory_offset - offset) {
    return bad("lies outside the file");
  }
  if ((flags & kEncrypted) != 0) return bad("is encrypted");
  const bool is_code = name.find("/code/") != name.npos;
  if (method != kStored && !(method == kDeflated && is_code)) return bad("is compressed");
  if (method == kStored && packed_size != size) return bad("has two sizes");
  unpacked += size;
  if (unpacked > kMaxArchiveBytes) return bad("makes it too large when unpacked");
  return absl::OkStatus();
}

}  // namespace

Status CheckArchive(std::string_view bytes) {
  const Result<Directory> directory = FindDirectory(bytes);
  if (!directory.ok()) return directory.status();
  std::string_view rest = bytes.substr(directory->offset, directory->bytes);
  uint64_t unpacked = 0;
  for (uint64_t i = 0; i < directory->entries; ++i) {
    Status entry = CheckEntry(rest, directory->offset, unpacked);
    if (!entry.ok()) return entry;
  }
  return rest.empty() ? absl::OkStatus() : Bad("its directory has more entries than it says");
}

}  // namespace berth
