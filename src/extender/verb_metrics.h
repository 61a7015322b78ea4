#pragma once

#include <array>
#include <chrono>
#include <map>
#include <string>
#include <string_view>

#include "base/metrics.h"

namespace berth {

enum class Verb { kFilter, kPrioritize };

// What became of a request.
enum class Outcome {
  kAnswered,
  kNotManaged,   // the pod asks for none of the managed resources; answered without asking
  kBadRequest,   // the body could not be read
  kWrongMode,    // no names: nodeCacheCapable is not set
  kNotSynced,    // the watch or the feed has not delivered a first picture
  kUnavailable,  // the service is away or not ready
  kDeadline,     // the service did not answer in time
  kBreakerOpen,  // not asked, because it has not answered in time lately
  kFailed,       // the service answered with another error
};

inline constexpr int kVerbs = 2;
inline constexpr int kOutcomes = 9;

// The names that metrics and logs use.
std::string_view NameOf(Verb verb);
std::string_view NameOf(Outcome outcome);

// The extender's metrics about requests. Label values come from fixed sets: nothing that a request
// holds can make a new series. Thread-safe.
class VerbMetrics {
 public:
  explicit VerbMetrics(Metrics& metrics);

  void Count(Verb verb, Outcome outcome, std::chrono::nanoseconds took);
  void CountCandidates(Verb verb, size_t candidates, size_t unknown);
  // Reasons that cluster/feasibility.h does not list are counted as "other".
  void CountRefused(std::string_view reason, size_t nodes);

 private:
  std::array<std::array<Counter*, kOutcomes>, kVerbs> requests_;
  std::array<Histogram*, kVerbs> seconds_;
  std::array<Counter*, kVerbs> candidates_;
  std::array<Counter*, kVerbs> unknown_;
  std::map<std::string, Counter*, std::less<>> refused_;
  Counter& refused_other_;
};

}  // namespace berth
