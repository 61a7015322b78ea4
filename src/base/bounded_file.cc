#include "base/bounded_file.h"

#include <array>
#include <fstream>

namespace berth {

Result<std::string> ReadBounded(const std::filesystem::path& file, size_t max_bytes) {
  std::error_code ignored;
  std::ifstream in(file, std::ios::binary);
  if (!in || std::filesystem::is_directory(file, ignored)) {
    return absl::NotFoundError("cannot read " + file.string());
  }
  return ReadBounded(in, file.string(), max_bytes);
}

Result<std::string> ReadBounded(std::istream& in, const std::string& name, size_t max_bytes) {
  std::string bytes;
  std::array<char, 16384> buffer;
  while (in.good() && bytes.size() <= max_bytes) {
    in.read(buffer.data(), buffer.size());
    bytes.append(buffer.data(), static_cast<size_t>(in.gcount()));
  }
  if (in.bad()) return absl::NotFoundError("cannot read " + name);
  if (bytes.size() <= max_bytes) return bytes;
  return absl::InvalidArgumentError(name + " is longer than " + std::to_string(max_bytes) +
                                    " bytes");
}

}  // namespace berth
