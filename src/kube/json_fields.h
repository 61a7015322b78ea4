#pragma once

#include <cstdint>
#include <map>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "berth/result.h"

namespace berth {

// Parses JSON from outside without throwing. Values nested deeper than any Kubernetes object are
// refused, and "managedFields" is dropped on the way: it is a good part of every object.
// Errors: INVALID_ARGUMENT that says where the text breaks off.
Result<nlohmann::json> ParseJson(std::string_view text);

// A JSON object read field by field, as Kubernetes reads it: a missing field and null are the empty
// value, any other type is an error. The first error is kept in `status` of the root, with the path
// of the field; readers look at it once, at the end. Views the JSON, which outlives it.
class JsonFields {
 public:
  // `status` starts OK and outlives this and everything read from it.
  JsonFields(const nlohmann::json& value, std::string path, Status& status);

  JsonFields Object(std::string_view key) const;
  const nlohmann::json& Array(std::string_view key) const;
  std::vector<JsonFields> Objects(std::string_view key) const;  // of an array
  std::string Text(std::string_view key) const;
  bool Flag(std::string_view key) const;
  int32_t Int32(std::string_view key) const;

  // An object whose values are text, kept where `wanted(key)`.
  std::map<std::string, std::string> Texts(std::string_view key,
                                           bool (*wanted)(std::string_view)) const;

  bool Has(std::string_view key) const { return Find(key) != nullptr; }
  // The members themselves, for values that may have several types.
  const nlohmann::json& members() const { return *value_; }
  const std::string& path() const { return path_; }

 private:
  const nlohmann::json* Find(std::string_view key) const;  // null when missing or null
  std::string PathOf(std::string_view key) const;
  void Fail(const std::string& path, std::string_view want, const nlohmann::json& got) const;

  const nlohmann::json* value_;  // an object; never null
  std::string path_;             // "spec.containers[0]"; empty at the root
  Status* status_;
};

}  // namespace berth
