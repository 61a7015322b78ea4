#include "facts/limits.h"

#include <string>
#include <string_view>

namespace berth {
namespace {

constexpr size_t kMaxNameBytes = 253;
constexpr size_t kMaxBytes = 256 * 1024;
constexpr size_t kMaxEntries = 1000;

// Keeps the first thing that is too large.
class Limits {
 public:
  void Name(std::string_view field, const std::string& name) {
    Bytes(field, name.size(), kMaxNameBytes);
  }

  void Text(std::string_view field, const std::string& text) {
    Bytes(field, text.size(), kMaxBytes);
  }

  void Texts(std::string_view field, const std::map<std::string, std::string>& texts) {
    size_t bytes = 0;
    for (const auto& [key, value] : texts) bytes += key.size() + value.size();
    Entries(field, texts.size());
    Bytes(field, bytes, kMaxBytes);
  }

  void Amounts(std::string_view field, const ResourceFacts& amounts) {
    size_t bytes = 0;
    for (const auto& [resource, amount] : amounts) bytes += resource.size();
    Entries(field, amounts.size());
    Bytes(field, bytes, kMaxBytes);
  }

  const Status& status() const { return status_; }

 private:
  void Bytes(std::string_view field, size_t have, size_t may_have) {
    if (have > may_have) Fail(field, have, may_have, "bytes");
  }
  void Entries(std::string_view field, size_t have) {
    if (have > kMaxEntries) Fail(field, have, kMaxEntries, "entries");
  }
  void Fail(std::string_view field, size_t have, size_t may_have, std::string_view unit) {
    if (!status_.ok()) return;
    status_ =
        absl::InvalidArgumentError(std::string(field) + ": has " + std::to_string(have) + " " +
                                   std::string(unit) + ", may have " + std::to_string(may_have));
  }

  Status status_;
};

}  // namespace

Status CheckLimits(const NodeFacts& node) {
  Limits limits;
  limits.Name("node.name", node.name);
  limits.Amounts("node.allocatable", node.allocatable);
  limits.Texts("node.labels", node.labels);
  limits.Texts("node.annotations", node.annotations);
  return limits.status();
}

Status CheckLimits(const PodFacts& pod) {
  Limits limits;
  limits.Name("pod.uid", pod.uid);
  limits.Name("pod.namespace", pod.namespace_name);
  limits.Name("pod.name", pod.name);
  limits.Name("pod.node_name", pod.node_name);
  limits.Amounts("pod.requests", pod.requests);
  limits.Texts("pod.annotations", pod.annotations);
  limits.Text("pod.owner", pod.owner);
  limits.Text("pod.unreadable", pod.unreadable);
  return limits.status();
}

}  // namespace berth
