#pragma once

#include <grpcpp/channel.h>

#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "bench/times.h"
#include "berth/result.h"
#include "berth/v1/scoring.grpc.pb.h"

namespace berth {

// Answers a second that a service gives to a few callers who each ask again once they have an
// answer. Errors: a call failed.
Result<double> AnswersPerSecond(const std::shared_ptr<grpc::Channel>& channel,
                                const std::vector<v1::ScoreRequest>& questions, int callers,
                                std::chrono::seconds time);

// One request of the load, once it is answered. Times are seconds since the load began.
struct LoadAnswer {
  double due = 0;   // when it was to be sent
  double took = 0;  // from then on, so that a stall counts for all whom it keeps waiting
  int verdict = 0;  // what the judge said; -1: the call failed
};

// Asks at a steady rate, whether or not there are answers, from construction to Stop. While a
// thousand are waited for, a request is not sent and counts as failed.
class OpenLoad {
 public:
  // Looks at an answer, on any thread.
  using Judge = std::function<int(const v1::ScoreResponse&)>;

  // `questions` are asked in turn, and outlive this.
  OpenLoad(const std::shared_ptr<grpc::Channel>& channel,
           const std::vector<v1::ScoreRequest>& questions, double per_second, Judge judge);
  ~OpenLoad();

  // Seconds since it began.
  double Now() const { return SecondsSince(start_); }

  // Waits for an answer of that verdict to a request sent from now on; returns when it came.
  // Errors: DEADLINE_EXCEEDED.
  Result<double> AwaitVerdict(int verdict, std::chrono::seconds patience);

  // Sends no more, and waits for the answers under way.
  void Stop();

  // REQUIRES of both: stopped.
  const std::vector<LoadAnswer>& answers() const { return answers_; }
  const std::string& first_error() const { return first_error_; }  // empty: none

 private:
  struct Call;

  void SendAll(const std::stop_token& stop);
  void Send(const v1::ScoreRequest& question, double due);
  void Take(const Call& call, const grpc::Status& status);

  const std::unique_ptr<v1::Scoring::Stub> stub_;
  const std::vector<v1::ScoreRequest>& questions_;
  const double per_second_;
  const Judge judge_;
  const Stopwatch::time_point start_ = Stopwatch::now();
  std::mutex mutex_;
  std::condition_variable answered_;
  size_t under_way_ = 0;
  std::vector<LoadAnswer> answers_;
  std::string first_error_;
  std::jthread sender_;  // last: it uses the above
};

}  // namespace berth
