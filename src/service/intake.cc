#include "service/intake.h"

#include <absl/strings/str_cat.h>

#include "facts/interpret.h"
#include "facts/limits.h"
#include "rpc/convert.h"

namespace berth {
namespace {

constexpr size_t kMaxSkippedObjectsLogged = 1'000;
constexpr size_t kMaxNameLogged = 100;

Counter& Skipped(Metrics& metrics, const std::string& kind) {
  return metrics.AddCounter(
      "berth_feed_skipped_total",
      "Facts left out because they name no object or are too large; see the log.",
      {{"kind", kind}});
}

}  // namespace

Intake::Intake(Metrics& metrics, Logger& log)
    : log_(log), skipped_nodes_(Skipped(metrics, "node")), skipped_pods_(Skipped(metrics, "pod")) {}

void Intake::Begin(const std::string& feeder) {
  feeder_ = feeder;
  skipped_objects_.clear();
}

std::optional<NodeSpec> Intake::TakeNode(const v1::NodeFacts& proto) {
  if (!NamesNode(proto.name(), "node.name")) return std::nullopt;
  const NodeFacts facts = FromProto(proto);
  if (const Status status = CheckLimits(facts); !status.ok()) {
    Skip(skipped_nodes_, std::string(status.message()), facts.name.substr(0, kMaxNameLogged));
    return std::nullopt;
  }
  return InterpretNode(facts);
}

std::optional<Pod> Intake::TakePod(const v1::PodFacts& proto) {
  const PodFacts facts = FromProto(proto);
  const std::string object = absl::StrCat(facts.namespace_name, "/", facts.name);
  if (facts.uid.empty()) {
    Skip(skipped_pods_, "pod.uid: is empty", object);
    return std::nullopt;
  }
  if (const Status status = CheckLimits(facts); !status.ok()) {
    Skip(skipped_pods_, std::string(status.message()), object.substr(0, kMaxNameLogged));
    return std::nullopt;
  }
  return InterpretPod(facts);
}

bool Intake::NamesNode(const std::string& name, const std::string& field) {
  if (name.empty()) Skip(skipped_nodes_, field + ": is empty", "");
  return !name.empty();
}

bool Intake::NamesPod(const std::string& uid, const std::string& field) {
  if (uid.empty()) Skip(skipped_pods_, field + ": is empty", "");
  return !uid.empty();
}

void Intake::Skip(Counter& skipped, const std::string& why, const std::string& object) {
  skipped.Increment();
  if (skipped_objects_.size() >= kMaxSkippedObjectsLogged) return;
  if (!skipped_objects_.insert(absl::StrCat(why, object)).second) return;
  log_.warn("msg=\"skipped facts that cannot be used\" reason={} object={} feeder={}", Quoted(why),
            Quoted(object), Quoted(feeder_));
}

}  // namespace berth
