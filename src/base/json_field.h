#pragma once

#include <cstdint>
#include <initializer_list>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "berth/result.h"

namespace berth {

// JSON that people write by hand: parsed with a limit on its depth, since quoting a value in an
// error recurses. Errors: INVALID_ARGUMENT that says where it stops being JSON.
Result<nlohmann::json> ParseJsonDocument(std::string_view text);

// A value of the file and the path that leads to it, such as "classes[3].count".
class JsonField {
 public:
  explicit JsonField(const nlohmann::json& value, std::string path = "")
      : value_(value), path_(std::move(path)) {}

  // INVALID_ARGUMENT that quotes the value.
  Status Wrong(std::string_view what_would_be_right) const;

  // OK when this is an object that has every key of `required` and none but those and `optional`.
  Status CheckKeys(std::initializer_list<std::string_view> required,
                   std::initializer_list<std::string_view> optional = {}) const;

  // REQUIRES: CheckKeys was OK, and the key is there.
  JsonField operator[](const std::string& key) const {
    return JsonField(value_.at(key), path_.empty() ? key : path_ + "." + key);
  }
  bool Has(const std::string& key) const { return value_.contains(key); }

  // Of the kind and in the range asked for. Errors: Wrong().
  Result<int64_t> Integer(int64_t least, int64_t most) const;
  Result<double> Number(double least, double most) const;
  Result<std::string> NonEmptyString() const;
  Result<std::vector<JsonField>> Elements() const;

 private:
  std::string Text() const;
  std::string Name() const { return path_.empty() ? "the file" : path_; }

  const nlohmann::json& value_;
  std::string path_;
};

}  // namespace berth
