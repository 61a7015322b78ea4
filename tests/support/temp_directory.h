#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <string_view>

namespace berth {

// A directory that is gone when the test is over.
class TempDirectory {
 public:
  TempDirectory() : path_(Create()) {}
  ~TempDirectory() { std::filesystem::remove_all(path_); }

  TempDirectory(const TempDirectory&) = delete;
  TempDirectory& operator=(const TempDirectory&) = delete;

  const std::filesystem::path& path() const { return path_; }

  std::string Read(const std::string& name) const {
    std::ifstream stream(path_ / name, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
  }

  // Creates or replaces a file; returns its path.
  std::filesystem::path Write(const std::string& name, std::string_view contents) const {
    std::ofstream(path_ / name, std::ios::binary) << contents;
    return path_ / name;
  }

 private:
  static std::filesystem::path Create() {
    std::string name = std::filesystem::temp_directory_path() / "berth-test-XXXXXX";
    return mkdtemp(name.data());
  }

  std::filesystem::path path_;
};

}  // namespace berth
