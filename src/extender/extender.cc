#include "extender/extender.h"

#include <absl/strings/str_cat.h>

#include <algorithm>

#include "extender/priorities.h"

namespace berth {
namespace {

constexpr char kNamesMissing[] =
    "no NodeNames: set nodeCacheCapable: true for this extender in KubeSchedulerConfiguration "
    "(extenders[].nodeCacheCapable), so that kube-scheduler sends names";

// Takes the refused candidates out of `names` and gives each its reason.
FilterReply ReplyFrom(const FilterAnswer& answer, std::vector<std::string> names) {
  FilterReply reply;
  std::vector<bool> refused(names.size(), false);
  for (const RefusedCandidates& group : answer.refused) {
    auto& failed = group.never ? reply.failed_and_unresolvable : reply.failed;
    for (const uint32_t candidate : group.candidates) {
      refused[candidate] = true;
      failed.emplace_back(names[candidate], group.reason);
    }
  }
  for (size_t i = 0; i < names.size(); ++i) {
    if (!refused[i]) reply.node_names.push_back(std::move(names[i]));
  }
  return reply;
}

}  // namespace

Extender::Extender(ScoringClient& service, std::function<Status()> synced,
                   std::vector<std::string> managed_resources, const Clock& clock, Metrics& metrics,
                   Logger& log)
    : service_(service),
      synced_(std::move(synced)),
      managed_resources_(std::move(managed_resources)),
      clock_(clock),
      metrics_(metrics),
      breaker_(clock, metrics),
      state_log_(clock, log) {}

Status Extender::Ready() const {
  const Status synced = synced_();
  return synced.ok() ? service_.Ready() : synced;
}

bool Extender::Manages(const PodFacts& pod) const {
  // What could not be read may well be a managed resource: the service refuses it with the reason.
  if (managed_resources_.empty() || !pod.unreadable.empty()) return true;
  return std::ranges::any_of(managed_resources_, [&](const std::string& resource) {
    const auto request = pod.requests.find(resource);
    return request != pod.requests.end() && request->second > 0;
  });
}

Extender::Verdict Extender::BeforeAsking(const ExtenderArgs& args) const {
  if (!args.node_names) {
    return {Outcome::kWrongMode,
            args.full_nodes ? absl::StrCat("got whole Nodes and ", kNamesMissing) : kNamesMissing};
  }
  if (args.node_names->empty()) return {};
  if (!Manages(args.pod)) return {Outcome::kNotManaged, ""};
  if (const Status synced = synced_(); !synced.ok()) {
    return {Outcome::kNotSynced, std::string(synced.message())};
  }
  return {};
}

template <class Answer, class Question>
Extender::Verdict Extender::Ask(Answer& answer, Question question) {
  if (!breaker_.Allows()) {
    return {Outcome::kBreakerOpen,
            "the scoring service has missed its last deadlines; it is asked once a second"};
  }
  Result<Answer> given = question();
  breaker_.Note(given.status());
  if (!given.ok()) return FromStatus(given.status());
  answer = *std::move(given);
  return {};
}

Extender::Verdict Extender::FromStatus(const Status& status) {
  const std::string error(status.message());
  switch (status.code()) {
    case absl::StatusCode::kUnavailable:
      return {Outcome::kUnavailable, error};
    case absl::StatusCode::kDeadlineExceeded:
      return {Outcome::kDeadline, error};
    default:
      return {Outcome::kFailed, error};
  }
}

void Extender::Record(Verb verb, const Verdict& verdict, Clock::TimePoint start) {
  metrics_.Count(verb, verdict.outcome, clock_.Now() - start);
  state_log_.Note(verdict.outcome, verdict.error);
}

Extender::Verdict Extender::FilterInto(std::string_view body, FilterReply& reply) {
  Result<ExtenderArgs> args = ParseExtenderArgs(body);
  if (!args.ok()) return {Outcome::kBadRequest, std::string(args.status().message())};
  const Verdict before = BeforeAsking(*args);
  if (before.outcome == Outcome::kNotManaged) reply.node_names = *std::move(args->node_names);
  if (before.outcome != Outcome::kAnswered || args->node_names->empty()) return before;

  FilterAnswer answer;
  const Verdict verdict =
      Ask(answer, [&] { return service_.Filter(args->pod, *args->node_names); });
  if (verdict.outcome != Outcome::kAnswered) return verdict;
  metrics_.CountCandidates(Verb::kFilter, args->node_names->size(), answer.unknown.size());
  for (const RefusedCandidates& group : answer.refused) {
    metrics_.CountRefused(group.reason, group.candidates.size());
  }
  reply = ReplyFrom(answer, *std::move(args->node_names));
  return {};
}

Extender::Verdict Extender::PrioritizeInto(std::string_view body,
                                           std::vector<HostPriority>& priorities) {
  Result<ExtenderArgs> args = ParseExtenderArgs(body);
  if (!args.ok()) return {Outcome::kBadRequest, std::string(args.status().message())};
  const Verdict before = BeforeAsking(*args);
  if (args->node_names) {
    priorities.reserve(args->node_names->size());
    for (const std::string& name : *args->node_names) priorities.push_back({.host = name});
  }
  if (before.outcome != Outcome::kAnswered || priorities.empty()) return before;

  ScoreAnswer answer;
  const Verdict verdict = Ask(answer, [&] { return service_.Score(args->pod, *args->node_names); });
  if (verdict.outcome != Outcome::kAnswered) return verdict;
  metrics_.CountCandidates(Verb::kPrioritize, priorities.size(), answer.unknown);
  const std::vector<int64_t> scores = Priorities(answer, priorities.size());
  for (size_t i = 0; i < scores.size(); ++i) priorities[i].score = scores[i];
  return {};
}

ExtenderAnswer Extender::Filter(std::string_view body) {
  const Clock::TimePoint start = clock_.Now();
  FilterReply reply;
  const Verdict verdict = FilterInto(body, reply);
  Record(Verb::kFilter, verdict, start);
  if (verdict.outcome == Outcome::kBadRequest) return {400, verdict.error + "\n"};
  reply.error = verdict.error;
  return {200, ToJson(reply)};
}

ExtenderAnswer Extender::Prioritize(std::string_view body) {
  const Clock::TimePoint start = clock_.Now();
  std::vector<HostPriority> priorities;
  const Verdict verdict = PrioritizeInto(body, priorities);
  Record(Verb::kPrioritize, verdict, start);
  if (verdict.error.empty()) return {200, ToJson(priorities)};
  const bool callers_fault =
      verdict.outcome == Outcome::kBadRequest || verdict.outcome == Outcome::kWrongMode;
  return {callers_fault ? 400 : 503, verdict.error + "\n"};
}

}  // namespace berth
