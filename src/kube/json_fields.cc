#include "kube/json_fields.h"

#include <limits>
#include <stdexcept>
#include <utility>

namespace berth {

using nlohmann::json;

namespace {

constexpr int kDeepest = 100;

const json& EmptyObject() {
  static const json empty = json::object();
  return empty;
}

}  // namespace

Result<json> ParseJson(std::string_view text) {
  const auto watch_over = [](int depth, json::parse_event_t event, json& parsed) {
    if (depth > kDeepest) throw std::length_error("nested deeper than 100 levels");
    return event != json::parse_event_t::key || parsed != "managedFields";
  };
  try {
    return json::parse(text, watch_over);
  } catch (const std::exception& error) {
    return absl::InvalidArgumentError(std::string("not JSON: ") + error.what());
  }
}

JsonFields::JsonFields(const json& value, std::string path, Status& status)
    : value_(&value), path_(std::move(path)), status_(&status) {
  if (value_->is_object()) return;
  if (!value_->is_null()) Fail(path_.empty() ? "it" : path_, "an object", value);
  value_ = &EmptyObject();
}

const json* JsonFields::Find(std::string_view key) const {
  const auto found = value_->find(key);
  return found == value_->end() || found->is_null() ? nullptr : &*found;
}

std::string JsonFields::PathOf(std::string_view key) const {
  return path_.empty() ? std::string(key) : path_ + "." + std::string(key);
}

void JsonFields::Fail(const std::string& path, std::string_view want, const json& got) const {
  if (!status_->ok()) return;
  *status_ =
      absl::InvalidArgumentError(path + " is " + got.type_name() + ", not " + std::string(want));
}

JsonFields JsonFields::Object(std::string_view key) const {
  const json* value = Find(key);
  return JsonFields(value == nullptr ? EmptyObject() : *value, PathOf(key), *status_);
}

const json& JsonFields::Array(std::string_view key) const {
  static const json empty = json::array();
  const json* array = Find(key);
  if (array == nullptr) return empty;
  if (array->is_array()) return *array;
  Fail(PathOf(key), "an array", *array);
  return empty;
}

std::vector<JsonFields> JsonFields::Objects(std::string_view key) const {
  const json& array = Array(key);
  std::vector<JsonFields> objects;
  objects.reserve(array.size());
  for (const json& element : array) {
    const std::string index = "[" + std::to_string(objects.size()) + "]";
    objects.emplace_back(element, PathOf(key) + index, *status_);
  }
  return objects;
}

std::string JsonFields::Text(std::string_view key) const {
  const json* value = Find(key);
  if (value == nullptr) return "";
  if (value->is_string()) return value->get_ref<const std::string&>();
  Fail(PathOf(key), "text", *value);
  return "";
}

bool JsonFields::Flag(std::string_view key) const {
  const json* value = Find(key);
  if (value == nullptr) return false;
  if (value->is_boolean()) return value->get<bool>();
  Fail(PathOf(key), "true or false", *value);
  return false;
}

int32_t JsonFields::Int32(std::string_view key) const {
  const json* value = Find(key);
  if (value == nullptr) return 0;
  if (value->is_number_integer()) {
    const double number = value->get<double>();  // exact within the range that counts
    if (number >= std::numeric_limits<int32_t>::min() &&
        number <= std::numeric_limits<int32_t>::max()) {
      return static_cast<int32_t>(number);
    }
  }
  Fail(PathOf(key), "an integer of 32 bits", *value);
  return 0;
}

std::map<std::string, std::string> JsonFields::Texts(std::string_view key,
                                                     bool (*wanted)(std::string_view)) const {
  std::map<std::string, std::string> texts;
  const JsonFields object = Object(key);
  for (const auto& [name, value] : object.members().items()) {
    if (!wanted(name)) continue;
    texts[name] = object.Text(name);
  }
  return texts;
}

}  // namespace berth
