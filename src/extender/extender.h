#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/log.h"
#include "base/metrics.h"
#include "berth/clock.h"
#include "berth/result.h"
#include "extender/breaker.h"
#include "extender/extender_args.h"
#include "extender/extender_reply.h"
#include "extender/service_state_log.h"
#include "extender/verb_metrics.h"
#include "rpc/scoring_client.h"

namespace berth {

// An answer over HTTP: JSON when the status is 200, else a text for people.
struct ExtenderAnswer {
  int status = 200;
  std::string body;
};

// The verbs of a kube-scheduler extender: turns each request into one question to the scoring
// service and its answer back. Decides nothing and reserves nothing, so a repeated request gets the
// same answer. Thread-safe.
//
// A service that keeps missing the client's timeout is asked only now and then (see Breaker).
//
// When the question cannot be asked or answered, filter says so in `Error` (status 200) and
// prioritize, whose answer has no place for an error, with status 503. A body that cannot be read
// is answered 400 by both. With `ignorable: true`, kube-scheduler goes on by its own rules then.
class Extender {
 public:
  // `synced` is OK once the service's picture of the cluster comes from us. Pods that ask for none
  // of `managed_resources` pass everywhere without a preference; an empty list manages every pod.
  // The references outlive the extender.
  Extender(ScoringClient& service, std::function<Status()> synced,
           std::vector<std::string> managed_resources, const Clock& clock, Metrics& metrics,
           Logger& log);

  ExtenderAnswer Filter(std::string_view body);
  ExtenderAnswer Prioritize(std::string_view body);

  // OK when requests can be answered.
  Status Ready() const;

 private:
  struct Verdict {
    Outcome outcome = Outcome::kAnswered;
    std::string error;
  };

  // Why the service need not, or cannot, be asked; kAnswered: ask about the candidates there are.
  Verdict BeforeAsking(const ExtenderArgs& args) const;
  bool Manages(const PodFacts& pod) const;
  // Asks the service, through the breaker. The answer is only set when the verdict is kAnswered.
  template <class Answer, class Question>
  Verdict Ask(Answer& answer, Question question);
  static Verdict FromStatus(const Status& status);
  void Record(Verb verb, const Verdict& verdict, Clock::TimePoint start);

  Verdict FilterInto(std::string_view body, FilterReply& reply);
  Verdict PrioritizeInto(std::string_view body, std::vector<HostPriority>& priorities);

  ScoringClient& service_;
  const std::function<Status()> synced_;
  const std::vector<std::string> managed_resources_;
  const Clock& clock_;
  VerbMetrics metrics_;
  Breaker breaker_;
  ServiceStateLog state_log_;
};

}  // namespace berth
