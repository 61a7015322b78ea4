#include "service/feed_session.h"

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

FeedSession::FeedSession(ClusterState& state, Metrics& metrics, Logger& log)
    : state_(state),
      log_(log),
      skipped_nodes_(Skipped(metrics, "node")),
      skipped_pods_(Skipped(metrics, "pod")) {}

FeedSession::~FeedSession() {
  if (in_epoch_) state_.AbandonEpoch();
}

Status FeedSession::Apply(const v1::FeedRequest& request) {
  if (Status status = CheckOrder(request); !status.ok()) return status;
  switch (request.event_case()) {
    case v1::FeedRequest::kBeginEpoch:
      feeder_ = request.begin_epoch().feeder();
      skipped_objects_.clear();
      in_epoch_ = true;
      state_.BeginEpoch();
      break;
    case v1::FeedRequest::kEpochComplete:
      in_epoch_ = false;
      state_.CompleteEpoch();
      break;
    case v1::FeedRequest::kNode:
      Node(request.node());
      break;
    case v1::FeedRequest::kNodeGone:
      NodeGone(request.node_gone());
      break;
    case v1::FeedRequest::kPod:
      Pod(request.pod());
      break;
    case v1::FeedRequest::kPodGone:
      PodGone(request.pod_gone());
      break;
    case v1::FeedRequest::EVENT_NOT_SET:
      return absl::InvalidArgumentError(
          "event: is missing, or of a kind that this version does not know");
  }
  applied_ = request.sequence();
  return {};
}

Status FeedSession::CheckOrder(const v1::FeedRequest& request) const {
  if (request.sequence() != applied_ + 1) {
    return absl::InvalidArgumentError(
        absl::StrCat("sequence: is ", request.sequence(), ", must be ", applied_ + 1));
  }
  if (applied_ == 0 && !request.has_begin_epoch()) {
    return absl::InvalidArgumentError("event: the first of a stream must be begin_epoch");
  }
  if (request.has_epoch_complete() && !in_epoch_) {
    return absl::InvalidArgumentError("epoch_complete: there was no begin_epoch");
  }
  return {};
}

void FeedSession::Node(const v1::NodeFacts& proto) {
  if (proto.name().empty()) return Skip(skipped_nodes_, "node.name: is empty", "");
  const NodeFacts facts = FromProto(proto);
  if (const Status status = CheckLimits(facts); !status.ok()) {
    return Skip(skipped_nodes_, std::string(status.message()),
                facts.name.substr(0, kMaxNameLogged));
  }
  state_.UpsertNode(InterpretNode(facts));
}

void FeedSession::NodeGone(const std::string& name) {
  if (name.empty()) return Skip(skipped_nodes_, "node_gone: is empty", "");
  state_.RemoveNode(NodeName(name));
}

void FeedSession::Pod(const v1::PodFacts& proto) {
  if (proto.uid().empty()) {
    return Skip(skipped_pods_, "pod.uid: is empty",
                absl::StrCat(proto.namespace_(), "/", proto.name()));
  }
  const PodFacts facts = FromProto(proto);
  if (const Status status = CheckLimits(facts); !status.ok()) {
    return Skip(skipped_pods_, std::string(status.message()),
                absl::StrCat(facts.namespace_name, "/", facts.name).substr(0, kMaxNameLogged));
  }
  state_.UpsertPod(InterpretPod(facts));
}

void FeedSession::PodGone(const std::string& uid) {
  if (uid.empty()) return Skip(skipped_pods_, "pod_gone: is empty", "");
  state_.RemovePod(PodUid(uid));
}

void FeedSession::Skip(Counter& skipped, const std::string& why, const std::string& object) {
  skipped.Increment();
  if (skipped_objects_.size() >= kMaxSkippedObjectsLogged) return;
  if (!skipped_objects_.insert(absl::StrCat(why, object)).second) return;
  log_.warn("msg=\"skipped facts that cannot be used\" reason={} object={} feeder={}", Quoted(why),
            Quoted(object), Quoted(feeder_));
}

}  // namespace berth
