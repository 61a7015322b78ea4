#include "service/cluster_service.h"

#include <grpcpp/server_context.h>
#include <grpcpp/support/async_stream.h>

#include <functional>
#include <optional>
#include <utility>

#include "rpc/status.h"
#include "service/feed_session.h"

namespace berth {
namespace {

using Done = std::function<void(bool ok)>;  // what the queue is given for an operation

}  // namespace

// One stream: reads, applies and acknowledges. An acknowledgement is written whenever there is one
// to give and none is under way, so the busier the feed, the more events each one covers.
// Operations end on the queue's thread; the turn's mutex orders them and those who end the turn.
// Deletes itself once it has ended and no operation is under way.
class FeedCall {
 public:
  explicit FeedCall(ClusterService& service) : service_(service) {}

  // Waits for a client; then another stream waits for the next.
  void Await() {
    ++under_way_;
    service_.RequestFeed(&context_, &stream_, service_.queue_.get(), service_.queue_.get(),
                         &opened_);
  }

 private:
  // Tells what came of an operation, with the turn's mutex held.
  Done Then(void (FeedCall::*react)(bool)) {
    return [this, react](bool ok) {
      bool over;
      {
        const std::scoped_lock lock(service_.turn_.mutex());
        --under_way_;
        (this->*react)(ok);
        over = under_way_ == 0;
      }
      if (over) delete this;
    };
  }

  void Opened(bool ok) {
    if (!ok) return;  // the server has shut down
    (new FeedCall(service_))->Await();
    const Status taken = service_.turn_.Take(this, [this](const Status& why) { End(why); });
    if (!taken.ok()) return End(taken);
    session_.emplace(service_.state_, service_.metrics_, service_.log_);
    service_.log_.info("msg=\"feed opened\" peer={}", Quoted(context_.peer()));
    Acknowledge();
    Read();
  }

  void WasRead(bool ok) {
    if (!session_) return;  // ended meanwhile
    if (!ok) return End({});
    if (Status status = session_->Apply(request_); !status.ok()) return End(status);
    if (request_.has_epoch_complete()) EpochCompleted();
    Acknowledge();
    Read();
  }

  void WasWritten(bool ok) {
    writing_ = false;
    if (ok && session_ && session_->applied() > response_.applied_sequence()) Acknowledge();
  }

  void HasEnded(bool) {}

  void End(const Status& why) {
    service_.log_.info("msg=\"feed ended\" peer={} feeder={} events={} reason={}",
                       Quoted(context_.peer()), Quoted(session_ ? session_->feeder() : ""),
                       session_ ? session_->applied() : 0, Quoted(why.ToString()));
    session_.reset();
    service_.turn_.GiveBack(this);
    ++under_way_;
    stream_.Finish(ToGrpc(why), &ended_);
  }

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
    ++under_way_;
    stream_.Write(response_, &written_);
  }

  void Read() {
    ++under_way_;
    stream_.Read(&request_, &read_);
  }

  ClusterService& service_;
  grpc::ServerContext context_;
  grpc::ServerAsyncReaderWriter<v1::FeedResponse, v1::FeedRequest> stream_{&context_};
  Done opened_ = Then(&FeedCall::Opened);
  Done read_ = Then(&FeedCall::WasRead);
  Done written_ = Then(&FeedCall::WasWritten);
  Done ended_ = Then(&FeedCall::HasEnded);

  // Guarded by the turn's mutex.
  int under_way_ = 0;                   // operations
  std::optional<FeedSession> session_;  // while the stream is open
  v1::FeedRequest request_;
  v1::FeedResponse response_;  // the one under way, or the last
  bool writing_ = false;
};

ClusterService::ClusterService(ClusterState& state, FeedTurn& turn, Metrics& metrics, Logger& log)
    : state_(state), turn_(turn), metrics_(metrics), log_(log) {}

ClusterService::~ClusterService() { Stop(); }

void ClusterService::Serve(std::unique_ptr<grpc::ServerCompletionQueue> queue) {
  queue_ = std::move(queue);
  (new FeedCall(*this))->Await();
  thread_ = std::thread([this] { Run(); });
}

void ClusterService::Run() {
  void* done = nullptr;
  bool ok = false;
  while (queue_->Next(&done, &ok)) (*static_cast<Done*>(done))(ok);
}

void ClusterService::Stop() {
  if (!thread_.joinable()) return;
  queue_->Shutdown();
  thread_.join();
}

}  // namespace berth
