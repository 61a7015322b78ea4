#include "service/method_metrics.h"

#include <absl/status/status.h>

#include <chrono>
#include <utility>

namespace berth {

MethodMetrics::MethodMetrics(std::string method, const Clock& clock, Metrics& metrics)
    : method_(std::move(method)),
      clock_(clock),
      metrics_(metrics),
      succeeded_(Requests(grpc::StatusCode::OK)),
      candidates_(metrics.AddCounter("berth_request_candidates_total",
                                     "Candidate nodes that requests named.",
                                     {{"method", method_}})),
      seconds_(metrics.AddLatency("berth_request_seconds",
                                  "Time to answer a request, without reading and writing it.",
                                  {{"method", method_}})) {}

void MethodMetrics::Count(int candidates, const grpc::Status& status,
                          Clock::TimePoint::duration took) {
  (status.ok() ? succeeded_ : Requests(status.error_code())).Increment();
  candidates_.Increment(candidates);
  seconds_.Observe(std::chrono::duration<double>(took).count());
}

Counter& MethodMetrics::Requests(grpc::StatusCode code) {
  return metrics_.AddCounter(
      "berth_requests_total", "Requests answered, by method and gRPC status.",
      {{"method", method_},
       {"code", absl::StatusCodeToString(static_cast<absl::StatusCode>(code))}});
}

}  // namespace berth
