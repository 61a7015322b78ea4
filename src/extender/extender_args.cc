#include "extender/extender_args.h"

#include <absl/container/flat_hash_set.h>
#include <absl/strings/match.h>
#include <absl/strings/str_cat.h>

#include <nlohmann/json.hpp>

#include "kube/object_facts.h"

namespace berth {
namespace {

using nlohmann::json;

constexpr int kMaxDepth = 64;
constexpr int kMaxValues = 200'000;

enum class Field { kOther, kPod, kNodes, kNodeNames };

Field FieldOf(const std::string& key) {
  if (absl::EqualsIgnoreCase(key, "Pod")) return Field::kPod;
  if (absl::EqualsIgnoreCase(key, "Nodes")) return Field::kNodes;
  if (absl::EqualsIgnoreCase(key, "NodeNames")) return Field::kNodeNames;
  return Field::kOther;
}

// Takes the body in as it is parsed: keeps the pod and the names, and skips everything else
// without storing it, so that megabytes of Node objects cost no memory.
class BodyReader final : public nlohmann::json_sax<json> {
 public:
  bool null() override { return Scalar(nullptr); }
  bool boolean(bool value) override { return Scalar(value); }
  bool number_integer(number_integer_t value) override { return Scalar(value); }
  bool number_unsigned(number_unsigned_t value) override { return Scalar(value); }
  bool number_float(number_float_t value, const string_t&) override { return Scalar(value); }
  bool string(string_t& value) override { return Scalar(std::move(value)); }
  bool binary(binary_t&) override { return Fail("binary values are not JSON"); }
  bool start_object(size_t) override { return Open(json::object()); }
  bool start_array(size_t) override { return Open(json::array()); }
  bool end_object() override { return Close(); }
  bool end_array() override { return Close(); }

  bool key(string_t& name) override {
    if (depth_ == 1) {
      field_ = FieldOf(name);
    } else {
      key_ = std::move(name);
    }
    return true;
  }

  bool parse_error(size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    return Fail(absl::StrCat("the body is not valid JSON at byte ", position));
  }

  const std::string& problem() const { return problem_; }
  const json& pod() const { return pod_; }
  bool full_nodes() const { return full_nodes_; }
  std::optional<std::vector<std::string>> TakeNames() { return std::move(names_); }

 private:
  bool Fail(std::string problem) {
    if (problem_.empty()) problem_ = std::move(problem);
    return false;
  }

  bool Scalar(json value) {
    if (depth_ == 0) return Fail("the body must be an object (ExtenderArgs)");
    return Take(std::move(value), false);
  }

  bool Open(json container) {
    if (depth_ == kMaxDepth) return Fail("the body is nested deeper than 64 levels");
    if (depth_ == 0 && !container.is_object()) return Scalar(nullptr);
    if (depth_ > 0 && !Take(std::move(container), true)) return false;
    ++depth_;
    return true;
  }

  bool Close() {
    --depth_;
    if (!open_.empty()) open_.pop_back();
    return true;
  }

  bool Take(json value, bool is_container) {
    if (field_ == Field::kPod) return TakePod(std::move(value), is_container);
    if (field_ == Field::kNodeNames) return TakeName(std::move(value));
    if (field_ == Field::kNodes && depth_ == 1) full_nodes_ = !value.is_null();
    return true;
  }

  bool TakePod(json value, bool is_container) {
    if (!CountValue()) return false;
    json* place = &pod_;
    if (depth_ == 1) {
      pod_ = std::move(value);
    } else if (open_.back()->is_array()) {
      place = &open_.back()->emplace_back(std::move(value));
    } else {
      place = &(*open_.back())[key_];
      *place = std::move(value);
    }
    if (is_container) open_.push_back(place);
    return true;
  }

  bool TakeName(json value) {
    if (!CountValue()) return false;
    if (depth_ == 1) {
      if (value.is_null()) return names_.reset(), true;
      if (!value.is_array()) return Fail("NodeNames: must be a list of node names");
      names_.emplace();
      return true;
    }
    if (!value.is_string()) {
      return Fail(absl::StrCat("NodeNames[", names_->size(), "]: must be a string"));
    }
    names_->push_back(std::move(value.get_ref<std::string&>()));
    return true;
  }

  bool CountValue() { return ++values_ <= kMaxValues || Fail("the body has too many values"); }

  std::string problem_;
  json pod_;
  std::vector<json*> open_;  // containers of the pod that are being filled, outermost first
  std::optional<std::vector<std::string>> names_;
  bool full_nodes_ = false;
  Field field_ = Field::kOther;  // of the outer object, whose value is being read
  std::string key_;
  int depth_ = 0;  // containers open, the outer object included
  int values_ = 0;
};

std::vector<std::string> WithoutRepeats(std::vector<std::string> names) {
  absl::flat_hash_set<absl::string_view> seen;
  seen.reserve(names.size());
  std::vector<std::string> once;
  once.reserve(names.size());  // so that what `seen` points at stays where it is
  for (std::string& name : names) {
    if (seen.contains(name)) continue;
    once.push_back(std::move(name));
    seen.insert(once.back());
  }
  return once;
}

}  // namespace

Result<ExtenderArgs> ParseExtenderArgs(std::string_view body) {
  BodyReader reader;
  if (!json::sax_parse(body, &reader)) return absl::InvalidArgumentError(reader.problem());
  if (!reader.pod().is_object()) return absl::InvalidArgumentError("Pod: must be a pod object");

  Result<PodFacts> pod = PodFactsFrom(reader.pod());
  if (!pod.ok()) return absl::InvalidArgumentError(absl::StrCat("Pod: ", pod.status().message()));
  ExtenderArgs args{
      .pod = *std::move(pod), .node_names = reader.TakeNames(), .full_nodes = reader.full_nodes()};
  if (args.node_names) args.node_names = WithoutRepeats(*std::move(args.node_names));
  return args;
}

}  // namespace berth
