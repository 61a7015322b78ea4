#include "rpc/feed_client.h"

#include <absl/strings/str_cat.h>

#include <atomic>
#include <future>
#include <thread>

#include "berth/v1/cluster.grpc.pb.h"
#include "rpc/channel.h"
#include "rpc/convert.h"
#include "rpc/status.h"

namespace berth {
namespace {

// Writes one event into the message that carries it.
class EventWriter {
 public:
  EventWriter(const std::string& feeder, v1::FeedRequest& request)
      : feeder_(feeder), request_(request) {}

  void operator()(const EpochBegins&) { request_.mutable_begin_epoch()->set_feeder(feeder_); }
  void operator()(const EpochEnds&) { request_.mutable_epoch_complete(); }
  void operator()(const FactEvent& event) { std::visit(*this, event); }
  void operator()(const NodeFacts& node) { *request_.mutable_node() = ToProto(node); }
  void operator()(const NodeGone& gone) { request_.set_node_gone(gone.name); }
  void operator()(const PodFacts& pod) { *request_.mutable_pod() = ToProto(pod); }
  void operator()(const PodGone& gone) { request_.set_pod_gone(gone.uid); }

 private:
  const std::string& feeder_;
  v1::FeedRequest& request_;
};

// The caller's thread writes; a thread of our own reads acknowledgements until the stream is over
// and then learns why.
class GrpcFeedStream final : public FeedStream {
 public:
  GrpcFeedStream(const std::string& target, const std::string& feeder)
      : target_(target), feeder_(feeder), stub_(v1::Cluster::NewStub(MakeChannel(target))) {}

  ~GrpcFeedStream() override { Finish(); }

  // The service answers at once when it takes a stream.
  Status Open() {
    stream_ = stub_->Feed(&context_);
    v1::FeedResponse welcome;
    if (!stream_->Read(&welcome)) return FromGrpc(stream_->Finish(), target_);
    end_ = end_promise_.get_future();
    reader_ = std::jthread([this] { ReadUntilOver(); });
    return {};
  }

  Status Send(const FeedEvent& event) override {
    v1::FeedRequest request;
    request.set_sequence(++sent_);
    std::visit(EventWriter(feeder_, request), event);
    if (stream_->Write(request)) return {};
    const grpc::Status& end = end_.get();
    if (!end.ok()) return FromGrpc(end, target_);
    return absl::UnavailableError(absl::StrCat("scoring service ", target_, ": ended the feed"));
  }

  uint64_t Acknowledged() const override { return acknowledged_; }
  std::stop_token Over() const override { return over_.get_token(); }
  void Finish() override { context_.TryCancel(); }

 private:
  void ReadUntilOver() {
    v1::FeedResponse response;
    while (stream_->Read(&response)) acknowledged_ = response.applied_sequence();
    end_promise_.set_value(stream_->Finish());
    over_.request_stop();
  }

  const std::string target_;
  const std::string feeder_;
  const std::unique_ptr<v1::Cluster::Stub> stub_;
  grpc::ClientContext context_;
  std::unique_ptr<grpc::ClientReaderWriter<v1::FeedRequest, v1::FeedResponse>> stream_;
  uint64_t sent_ = 0;
  std::atomic<uint64_t> acknowledged_{0};
  std::stop_source over_;
  std::promise<grpc::Status> end_promise_;  // why the stream is over
  std::shared_future<grpc::Status> end_;
  std::jthread reader_;
};

}  // namespace

Result<std::unique_ptr<FeedStream>> OpenFeed(const std::string& target, const std::string& feeder) {
  auto stream = std::make_unique<GrpcFeedStream>(target, feeder);
  if (Status status = stream->Open(); !status.ok()) return status;
  return stream;
}

}  // namespace berth
