#include "extender/verb_metrics.h"

#include "cluster/feasibility.h"

namespace berth {
namespace {

constexpr std::array<Refusal, 8> kRefusals = {
    Refusal::kInvalidDemand, Refusal::kNoSuchGpus,  Refusal::kModelNotAllowed,
    Refusal::kTooFewGpus,    Refusal::kNoFreeShare, Refusal::kTooFewFreeGpus,
    Refusal::kCpu,           Refusal::kMemory};

Counter& RefusedCounter(Metrics& metrics, std::string_view reason) {
  return metrics.AddCounter("berth_extender_refused_nodes_total",
                            "Candidates that filter refused, by reason.",
                            {{"reason", std::string(reason)}});
}

size_t Index(Verb verb) { return static_cast<size_t>(verb); }

}  // namespace

std::string_view NameOf(Verb verb) { return verb == Verb::kFilter ? "filter" : "prioritize"; }

std::string_view NameOf(Outcome outcome) {
  switch (outcome) {
    case Outcome::kAnswered:
      return "answered";
    case Outcome::kNotManaged:
      return "not_managed";
    case Outcome::kBadRequest:
      return "bad_request";
    case Outcome::kWrongMode:
      return "wrong_mode";
    case Outcome::kNotSynced:
      return "not_synced";
    case Outcome::kUnavailable:
      return "unavailable";
    case Outcome::kDeadline:
      return "deadline";
    case Outcome::kBreakerOpen:
      return "breaker_open";
    case Outcome::kFailed:
      return "failed";
  }
  return "failed";
}

VerbMetrics::VerbMetrics(Metrics& metrics) : refused_other_(RefusedCounter(metrics, "other")) {
  for (const Verb verb : {Verb::kFilter, Verb::kPrioritize}) {
    const std::string name(NameOf(verb));
    for (int outcome = 0; outcome < kOutcomes; ++outcome) {
      const std::string label(NameOf(static_cast<Outcome>(outcome)));
      requests_[Index(verb)][outcome] =
          &metrics.AddCounter("berth_extender_requests_total", "Requests, by what became of them.",
                              {{"verb", name}, {"outcome", label}});
    }
    seconds_[Index(verb)] = &metrics.AddLatency("berth_extender_request_seconds",
                                                "Time to answer a request.", {{"verb", name}});
    candidates_[Index(verb)] = &metrics.AddCounter("berth_extender_candidates_total",
                                                   "Candidates asked about.", {{"verb", name}});
    unknown_[Index(verb)] =
        &metrics.AddCounter("berth_extender_unknown_nodes_total",
                            "Candidates that the service did not know.", {{"verb", name}});
  }
  for (const Refusal refusal : kRefusals) {
    const std::string_view reason = Reason(refusal);
    refused_.emplace(reason, &RefusedCounter(metrics, reason));
  }
}

void VerbMetrics::Count(Verb verb, Outcome outcome, std::chrono::nanoseconds took) {
  requests_[Index(verb)][static_cast<size_t>(outcome)]->Increment();
  seconds_[Index(verb)]->Observe(std::chrono::duration<double>(took).count());
}

void VerbMetrics::CountCandidates(Verb verb, size_t candidates, size_t unknown) {
  candidates_[Index(verb)]->Increment(static_cast<double>(candidates));
  unknown_[Index(verb)]->Increment(static_cast<double>(unknown));
}

void VerbMetrics::CountRefused(std::string_view reason, size_t nodes) {
  const auto known = refused_.find(reason);
  Counter& counter = known == refused_.end() ? refused_other_ : *known->second;
  counter.Increment(static_cast<double>(nodes));
}

}  // namespace berth
