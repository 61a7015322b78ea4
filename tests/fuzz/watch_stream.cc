// Bytes of a watch -> lines -> events. Wherever the stream is cut, the events are the same, and
// every text in them is UTF-8, which is what the feed to the service can carry.

#include <fuzzer/FuzzedDataProvider.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "kube/line_splitter.h"
#include "kube/watch_event.h"
#include "property.h"

namespace berth {
namespace {

constexpr size_t kMaxLineBytes = 4096;

// What a watch made of a stream: its events, and why it ended if it did.
struct Told {
  std::vector<std::string> versions, skipped;
  std::vector<FactEvent> changes;
  Status end;

  bool operator==(const Told&) const = default;
};

class Watch {
 public:
  explicit Watch(ObjectKind kind) : kind_(kind) {}

  void Append(std::string_view bytes) {
    if (told_.end.ok()) told_.end = lines_.Append(bytes, [this](auto line) { return Take(line); });
  }
  const Told& told() const { return told_; }

 private:
  Status Take(std::string_view line) {
    const Result<WatchEvent> event = ParseWatchEvent(kind_, line);
    if (!event.ok()) return event.status();
    told_.versions.push_back(event->version);
    told_.skipped.push_back(event->skipped);
    if (event->change) told_.changes.push_back(*event->change);
    BERTH_CHECK(!event->change || event->skipped.empty(), "taken or skipped, not both");
    return {};
  }

  const ObjectKind kind_;
  LineSplitter lines_{kMaxLineBytes};
  Told told_;
};

void CheckTexts(const std::map<std::string, std::string>& texts) {
  for (const auto& [key, value] : texts) BERTH_CHECK(IsUtf8(key) && IsUtf8(value), "UTF-8");
}

void CheckAmounts(const ResourceFacts& amounts) {
  for (const auto& [resource, amount] : amounts) {
    BERTH_CHECK(IsUtf8(resource), "UTF-8");
    BERTH_CHECK(amount >= 0, "amounts are at least 0");
  }
}

struct CheckFacts {
  void operator()(const NodeFacts& node) const {
    BERTH_CHECK(!node.name.empty() && IsUtf8(node.name), "a node has a name in UTF-8");
    CheckAmounts(node.allocatable);
    CheckTexts(node.labels);
    CheckTexts(node.annotations);
  }
  void operator()(const PodFacts& pod) const {
    BERTH_CHECK(!pod.uid.empty() && !pod.name.empty(), "a pod has a UID and a name");
    for (const std::string* text :
         {&pod.uid, &pod.namespace_name, &pod.name, &pod.owner, &pod.node_name, &pod.unreadable}) {
      BERTH_CHECK(IsUtf8(*text), "UTF-8");
    }
    CheckAmounts(pod.requests);
    CheckTexts(pod.annotations);
  }
  void operator()(const NodeGone& node) const { BERTH_CHECK(!node.name.empty(), "has a name"); }
  void operator()(const PodGone& pod) const { BERTH_CHECK(!pod.uid.empty(), "has a UID"); }
};

void Check(FuzzedDataProvider& input) {
  const ObjectKind kind = input.ConsumeBool() ? ObjectKind::kPod : ObjectKind::kNode;
  std::vector<size_t> cuts;
  for (int i = 0; i < 4; ++i) cuts.push_back(input.ConsumeIntegral<uint8_t>());
  const std::string stream = input.ConsumeRemainingBytesAsString();

  Watch whole(kind), cut(kind), bytewise(kind);
  whole.Append(stream);
  std::string_view rest = stream;
  for (const size_t length : cuts) {
    cut.Append(rest.substr(0, length));
    rest.remove_prefix(std::min(length, rest.size()));
  }
  cut.Append(rest);
  for (const char& byte : stream) bytewise.Append(std::string_view(&byte, 1));
  BERTH_CHECK(cut.told() == whole.told(), "cuts change nothing");
  BERTH_CHECK(bytewise.told() == whole.told(), "single bytes change nothing");
  for (const FactEvent& change : whole.told().changes) std::visit(CheckFacts(), change);

  const Result<ListPage> page = ParseListPage(kind, stream);
  if (!page.ok()) return;
  BERTH_CHECK(!page->version.empty(), "there is a version to watch from");
  for (const NodeFacts& node : page->nodes) CheckFacts()(node);
  for (const PodFacts& pod : page->pods) CheckFacts()(pod);
}

}  // namespace
}  // namespace berth

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  FuzzedDataProvider input(data, size);
  berth::Check(input);
  return 0;
}
