#pragma once

#include <chrono>
#include <future>
#include <stop_token>
#include <string>
#include <string_view>
#include <thread>

#include "base/log.h"
#include "base/metrics.h"
#include "base/rng.h"
#include "kube/api_client.h"
#include "kube/backoff.h"
#include "kube/fact_store.h"
#include "kube/watch_event.h"

namespace berth {

// Counters of one kind of objects.
struct WatchMetrics {
  WatchMetrics(ObjectKind kind, Metrics& metrics);

  Counter& lists;
  Counter& watches;
  Counter& failures;
  Counter& events;
  Counter& skipped;
};

// Keeps one kind of objects of a FactStore equal to the API server, on a thread of its own from
// construction to destruction. `store`, `metrics` and `log` outlive it.
class ResourceWatch {
 public:
  ResourceWatch(ObjectKind kind, const ApiServerAccess& access, FactStore& store,
                Rng::result_type seed, Metrics& metrics, Logger& log);
  ~ResourceWatch();

 private:
  void Run(const std::stop_token& stop);
  // Lists if a list is due, then watches until the watch ends.
  Status Follow(const std::stop_token& stop);
  Status List(const std::stop_token& stop);
  Status Watch(const std::stop_token& stop);
  Result<ListPage> GetPage(const std::stop_token& stop, const std::string& continue_token);
  Status PageTooLong();
  Status TakeEvent(std::string_view line);
  void Skip(const std::string& why);
  void TellIgnoredWish(const PodFacts& pod);
  // How long to wait before the next attempt.
  std::chrono::milliseconds PauseAfter(const Status& status);
  void TellInTouch();

  const ObjectKind kind_;
  FactStore& store_;
  WatchMetrics metrics_;
  Logger& log_;
  ApiClient client_;
  Backoff backoff_;
  Rng rng_;
  int page_objects_ = 500;                         // most in one page of a list
  std::string version_;                            // to watch from; empty: a list is due
  bool progress_ = false;                          // the watch at hand has brought something
  absl::StatusCode told_ = absl::StatusCode::kOk;  // the failure that the log knows of
  std::promise<void> over_;
  std::jthread thread_;  // last, so that it finds everything else in place
};

}  // namespace berth
