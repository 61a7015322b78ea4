#include "base/json_field.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

#include "base/log.h"

namespace berth {
namespace {

using nlohmann::json;

constexpr int kMaxDepth = 32;

bool Contains(std::initializer_list<std::string_view> keys, std::string_view key) {
  return std::find(keys.begin(), keys.end(), key) != keys.end();
}

}  // namespace

Result<json> ParseJsonDocument(std::string_view text) {
  const auto watch_depth = [](int depth, json::parse_event_t, json&) {
    if (depth > kMaxDepth) throw std::length_error("nested deeper than 32 levels");
    return true;
  };
  try {
    return json::parse(text, watch_depth);
  } catch (const std::exception& error) {
    return absl::InvalidArgumentError(std::string("this is not JSON: ") + error.what());
  }
}

std::string JsonField::Text() const {
  return value_.dump(-1, ' ', false, json::error_handler_t::replace);
}

Status JsonField::Wrong(std::string_view what_would_be_right) const {
  return absl::InvalidArgumentError(path_ + " is " + Quoted(Text()) + "; it should be " +
                                    std::string(what_would_be_right));
}

Status JsonField::CheckKeys(std::initializer_list<std::string_view> required,
                            std::initializer_list<std::string_view> optional) const {
  if (!value_.is_object()) {
    return absl::InvalidArgumentError(Name() + " should be a JSON object in braces");
  }
  for (const auto& [key, value] : value_.items()) {
    if (Contains(required, key) || Contains(optional, key)) continue;
    return absl::InvalidArgumentError(Name() + " has the unknown key " + Quoted(key));
  }
  for (const std::string_view key : required) {
    if (value_.contains(key)) continue;
    return absl::InvalidArgumentError(Name() + " lacks the key " + Quoted(key));
  }
  return absl::OkStatus();
}

Result<int64_t> JsonField::Integer(int64_t least, int64_t most) const {
  // An integer beyond int64 is unsigned here, and above every `most`.
  const bool in_range = value_.is_number_integer() && value_ >= least && value_ <= most;
  if (in_range) return value_.get<int64_t>();
  return Wrong("a whole number from " + std::to_string(least) + " to " + std::to_string(most));
}

Result<double> JsonField::Number(double least, double most) const {
  if (value_.is_number() && value_.get<double>() >= least && value_.get<double>() <= most) {
    return value_.get<double>();
  }
  return Wrong(fmt::format("a number from {} to {}", least, most));
}

Result<std::string> JsonField::NonEmptyString() const {
  if (!value_.is_string() || value_.get_ref<const std::string&>().empty()) {
    return Wrong("a string that is not empty");
  }
  return value_.get<std::string>();
}

Result<std::vector<JsonField>> JsonField::Elements() const {
  if (!value_.is_array()) return Wrong("a list in brackets");
  std::vector<JsonField> elements;
  for (size_t i = 0; i < value_.size(); ++i) {
    elements.emplace_back(value_[i], path_ + "[" + std::to_string(i) + "]");
  }
  return elements;
}

}  // namespace berth
