#include "service/cluster_service.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "rpc/status.h"
#include "service/feed_session.h"

namespace berth {

// One stream: reads, applies and acknowledges. An acknowledgement is written whenever there is one
// to give and none is under way, so the busier the feed, the more events each one covers.
// Reactions come from server threads, one kind at a time; the service's mutex orders them all.
class FeedReactor final : public grpc::ServerBidiReactor<v1::FeedRequest, v1::FeedResponse> {
 public:
  FeedReactor(ClusterService& service, std::string peer)
      : service_(service), peer_(std::move(peer)) {}

  // REQUIRES of these two: the service's mutex is held.
  void Start() {
    session_.emplace(service_.state_, service_.metrics_, service_.log_);
    service_.log_.info("msg=\"feed opened\" peer={}", Quoted(peer_));
    Acknowledge();
    StartRead(&request_);
  }

  void End(const Status& why) {
    service_.log_.info("msg=\"feed ended\" peer={} feeder={} events={} reason={}", Quoted(peer_),
                       Quoted(session_ ? session_->feeder() : ""),
                       session_ ? session_->applied() : 0, Quoted(why.ToString()));
    session_.reset();
    if (service_.current_ == this) service_.current_ = nullptr;
    service_.connected_.Set(service_.current_ == nullptr ? 0 : 1);
    Finish(ToGrpc(why));
  }

  void OnReadDone(bool ok) override {
    const std::scoped_lock lock(service_.mutex_);
    if (!session_) return;  // ended meanwhile
    if (!ok) return End({});
    if (Status status = session_->Apply(request_); !status.ok()) return End(status);
    if (request_.has_epoch_complete()) EpochCompleted();
    Acknowledge();
    StartRead(&request_);
  }

  void OnWriteDone(bool ok) override {
    const std::scoped_lock lock(service_.mutex_);
    writing_ = false;
    if (ok && session_ && session_->applied() > response_.applied_sequence()) Acknowledge();
  }

  void OnDone() override { delete this; }

 private:
  void EpochCompleted() {
    ++service_.epochs_;
    service_.epochs_total_.Increment();
    service_.on_epoch_();
    service_.log_.info("msg=\"epoch complete\" feeder={} events={}", Quoted(session_->feeder()),
                       session_->applied());
  }

  void Acknowledge() {
    if (writing_) return;
    writing_ = true;
    response_.set_applied_sequence(session_->applied());
    response_.set_epochs(service_.epochs_);
    StartWrite(&response_);
  }

  ClusterService& service_;
  const std::string peer_;
  std::optional<FeedSession> session_;  // until the stream is over
  v1::FeedRequest request_;
  v1::FeedResponse response_;  // the one under way, or the last
  bool writing_ = false;
};

ClusterService::ClusterService(ClusterState& state, std::function<void()> on_epoch,
                               Metrics& metrics, Logger& log)
    : state_(state),
      on_epoch_(std::move(on_epoch)),
      metrics_(metrics),
      log_(log),
      connected_(metrics.AddGauge("berth_feed_connected", "1 while a feeder is connected.")),
      superseded_(metrics.AddCounter("berth_feed_superseded_total",
                                     "Feeds that a newer one took over; many mean that two "
                                     "feeders fight over one service.")),
      epochs_total_(metrics.AddCounter("berth_feed_epochs_total",
                                       "Complete pictures of the cluster taken in.")) {}

grpc::ServerBidiReactor<v1::FeedRequest, v1::FeedResponse>* ClusterService::Feed(
    grpc::CallbackServerContext* context) {
  auto stream = std::make_unique<FeedReactor>(*this, context->peer());
  const std::scoped_lock lock(mutex_);
  if (draining_) {
    stream->End(absl::UnavailableError("the service is shutting down"));
    return stream.release();
  }
  if (current_ != nullptr) {
    superseded_.Increment();
    current_->End(absl::AbortedError("superseded by a newer feed"));
  }
  current_ = stream.get();
  connected_.Set(1);
  current_->Start();
  return stream.release();
}

void ClusterService::Drain() {
  const std::scoped_lock lock(mutex_);
  draining_ = true;
  if (current_ != nullptr) current_->End(absl::UnavailableError("the service is shutting down"));
}

}  // namespace berth
