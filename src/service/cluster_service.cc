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
// Reactions come from server threads, one kind at a time; the turn's mutex orders them all.
// Deletes itself once it is over.
class FeedReactor final : public grpc::ServerBidiReactor<v1::FeedRequest, v1::FeedResponse> {
 public:
  FeedReactor(ClusterService& service, std::string peer)
      : service_(service), peer_(std::move(peer)) {}

  // REQUIRES of these two: the turn's mutex is held.
  void Start() {
    const Status taken = service_.turn_.Take(this, [this](const Status& why) { End(why); });
    if (!taken.ok()) return End(taken);
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
    service_.turn_.GiveBack(this);
    Finish(ToGrpc(why));
  }

  void OnReadDone(bool ok) override {
    const std::scoped_lock lock(service_.turn_.mutex());
    if (!session_) return;  // ended meanwhile
    if (!ok) return End({});
    if (Status status = session_->Apply(request_); !status.ok()) return End(status);
    if (request_.has_epoch_complete()) EpochCompleted();
    Acknowledge();
    StartRead(&request_);
  }

  void OnWriteDone(bool ok) override {
    const std::scoped_lock lock(service_.turn_.mutex());
    writing_ = false;
    if (ok && session_ && session_->applied() > response_.applied_sequence()) Acknowledge();
  }

  void OnDone() override { delete this; }

 private:
  void EpochCompleted() {
    service_.turn_.EpochCompleted();
    service_.log_.info("msg=\"epoch complete\" feeder={} events={}", Quoted(session_->feeder()),
                       session_->applied());
  }

  void Acknowledge() {
    if (writing_) return;
    writing_ = true;
    response_.set_applied_sequence(session_->applied());
    response_.set_epochs(service_.turn_.epochs());
    StartWrite(&response_);
  }

  ClusterService& service_;
  const std::string peer_;
  std::optional<FeedSession> session_;  // until the stream is over
  v1::FeedRequest request_;
  v1::FeedResponse response_;  // the one under way, or the last
  bool writing_ = false;
};

ClusterService::ClusterService(ClusterState& state, FeedTurn& turn, Metrics& metrics, Logger& log)
    : state_(state), turn_(turn), metrics_(metrics), log_(log) {}

grpc::ServerBidiReactor<v1::FeedRequest, v1::FeedResponse>* ClusterService::Feed(
    grpc::CallbackServerContext* context) {
  auto* stream = new FeedReactor(*this, context->peer());
  const std::scoped_lock lock(turn_.mutex());
  stream->Start();
  return stream;
}

}  // namespace berth
