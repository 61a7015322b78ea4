#include "service/feed_session.h"

#include <absl/strings/str_cat.h>

#include <optional>
#include <utility>

namespace berth {

FeedSession::FeedSession(ClusterState& state, Metrics& metrics, Logger& log)
    : state_(state), intake_(metrics, log) {}

FeedSession::~FeedSession() {
  if (in_epoch_) state_.AbandonEpoch();
}

Status FeedSession::Apply(const v1::FeedRequest& request) {
  if (Status status = CheckOrder(request); !status.ok()) return status;
  switch (request.event_case()) {
    case v1::FeedRequest::kBeginEpoch:
      feeder_ = request.begin_epoch().feeder();
      intake_.Begin(feeder_);
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
  if (std::optional<NodeSpec> node = intake_.TakeNode(proto)) state_.UpsertNode(*std::move(node));
}

void FeedSession::NodeGone(const std::string& name) {
  if (intake_.NamesNode(name, "node_gone")) state_.RemoveNode(NodeName(name));
}

void FeedSession::Pod(const v1::PodFacts& proto) {
  if (std::optional<berth::Pod> pod = intake_.TakePod(proto)) state_.UpsertPod(*std::move(pod));
}

void FeedSession::PodGone(const std::string& uid) {
  if (intake_.NamesPod(uid, "pod_gone")) state_.RemovePod(PodUid(uid));
}

}  // namespace berth
