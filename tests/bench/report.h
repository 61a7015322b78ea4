#pragma once

#include <filesystem>
#include <nlohmann/json.hpp>
#include <string>

#include "berth/result.h"

namespace berth {

// The numbers of one run, in the order in which they were measured. A field's name ends with its
// unit or says that it is a ratio. Each number is also printed as it comes.
class Report {
 public:
  // What is measured next, for people.
  void Section(const std::string& title);

  void Add(const std::string& field, double value);
  void Add(const std::string& field, const std::string& text);
  // How many times larger the one field's number is than the other's; nothing when one is missing.
  void AddRatio(const std::string& field, const std::string& of, const std::string& to);

  Status Write(const std::filesystem::path& path) const;

 private:
  nlohmann::ordered_json fields_ = nlohmann::ordered_json::object();
};

}  // namespace berth
