#include "bench/open_load.h"

#include <atomic>
#include <optional>
#include <utility>

#include "rpc/channel.h"
#include "rpc/status.h"

namespace berth {
namespace {

constexpr std::chrono::seconds kTimeout{10};
// Beyond it the machine does something else, and waiting requests would only fill its memory.
constexpr size_t kMostUnderWay = 1'000;

}  // namespace

Result<double> AnswersPerSecond(const std::shared_ptr<grpc::Channel>& channel,
                                const std::vector<v1::ScoreRequest>& questions, int callers,
                                std::chrono::seconds time) {
  const auto stub = v1::Scoring::NewStub(channel);
  std::atomic<size_t> next = 0, answered = 0;
  std::atomic<bool> failed = false;
  const auto start = Stopwatch::now();
  {
    std::vector<std::jthread> threads;
    for (int i = 0; i < callers; ++i) {
      threads.emplace_back([&] {
        while (Stopwatch::now() - start < time && !failed) {
          grpc::ClientContext context;
          SetTimeout(context, kTimeout);
          v1::ScoreResponse answer;
          if (stub->Score(&context, questions[next++ % questions.size()], &answer).ok()) {
            ++answered;
          } else {
            failed = true;
          }
        }
      });
    }
  }
  if (failed) return absl::UnavailableError("a call failed while looking for the highest rate");
  return static_cast<double>(answered) / SecondsSince(start);
}

struct OpenLoad::Call {
  grpc::ClientContext context;
  v1::ScoreResponse answer;
  double due = 0;
};

OpenLoad::OpenLoad(const std::shared_ptr<grpc::Channel>& channel,
                   const std::vector<v1::ScoreRequest>& questions, double per_second, Judge judge)
    : stub_(v1::Scoring::NewStub(channel)),
      questions_(questions),
      per_second_(per_second),
      judge_(std::move(judge)),
      sender_([this](const std::stop_token& stop) { SendAll(stop); }) {}

OpenLoad::~OpenLoad() { Stop(); }

void OpenLoad::SendAll(const std::stop_token& stop) {
  for (size_t i = 0; !stop.stop_requested(); ++i) {
    const double due = static_cast<double>(i) / per_second_;
    std::this_thread::sleep_until(start_ + std::chrono::duration<double>(due));
    Send(questions_[i % questions_.size()], due);
  }
}

void OpenLoad::Send(const v1::ScoreRequest& question, double due) {
  auto* call = new Call;  // its callback frees it
  call->due = due;
  SetTimeout(call->context, kTimeout);
  bool too_many = false;
  {
    const std::lock_guard lock(mutex_);
    too_many = under_way_++ >= kMostUnderWay;
  }
  if (too_many) {
    const std::unique_ptr<Call> owned(call);
    return Take(*owned, {grpc::StatusCode::RESOURCE_EXHAUSTED,
                         "not sent: too many wait for their answers; is the machine busy?"});
  }
  stub_->async()->Score(&call->context, &question, &call->answer,
                        [this, call](grpc::Status status) {
                          const std::unique_ptr<Call> owned(call);
                          Take(*owned, status);
                        });
}

void OpenLoad::Take(const Call& call, const grpc::Status& status) {
  const int verdict = status.ok() ? judge_(call.answer) : -1;
  const std::lock_guard lock(mutex_);
  answers_.push_back({call.due, Now() - call.due, verdict});
  if (!status.ok() && first_error_.empty()) first_error_ = status.error_message();
  --under_way_;
  answered_.notify_all();
}

Result<double> OpenLoad::AwaitVerdict(int verdict, std::chrono::seconds patience) {
  const double asked = Now();
  std::unique_lock lock(mutex_);
  std::optional<double> came;
  size_t looked_at = answers_.size();
  const auto there = [&] {
    for (; looked_at < answers_.size() && !came; ++looked_at) {
      const LoadAnswer& answer = answers_[looked_at];
      if (answer.verdict == verdict && answer.due >= asked) came = answer.due + answer.took;
    }
    return came.has_value();
  };
  if (answered_.wait_for(lock, patience, there)) return *came;
  return absl::DeadlineExceededError("no answer of the policy that was put in charge");
}

void OpenLoad::Stop() {
  sender_.request_stop();
  if (sender_.joinable()) sender_.join();
  std::unique_lock lock(mutex_);
  answered_.wait(lock, [this] { return under_way_ == 0; });
}

}  // namespace berth
