#pragma once

#include <grpcpp/support/status.h>

#include <string>

#include "base/metrics.h"
#include "berth/clock.h"

namespace berth {

// What one method counts: requests by outcome, their time, the candidates asked about.
class MethodMetrics {
 public:
  // `clock` and `metrics` outlive this.
  MethodMetrics(std::string method, const Clock& clock, Metrics& metrics);

  // Runs `answer`, a function that gives a grpc::Status, and counts it.
  template <class Answer>
  grpc::Status Measure(int candidates, Answer answer) {
    const Clock::TimePoint start = clock_.Now();
    const grpc::Status status = answer();
    Count(candidates, status, clock_.Now() - start);
    return status;
  }

 private:
  void Count(int candidates, const grpc::Status& status, Clock::TimePoint::duration took);
  Counter& Requests(grpc::StatusCode code);

  const std::string method_;
  const Clock& clock_;
  Metrics& metrics_;
  Counter& succeeded_;
  Counter& candidates_;
  Histogram& seconds_;
};

}  // namespace berth
