#include "kube/resource_watch.h"

#include <signal.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <iterator>
#include <mutex>
#include <utility>
#include <variant>

#include "facts/interpret.h"
#include "kube/line_splitter.h"

namespace berth {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr size_t kMaxLineBytes = size_t{16} << 20;
constexpr size_t kMaxPageBytes = size_t{64} << 20;
constexpr seconds kListPatience(30);
// The server ends a watch after so long, drawn anew each time so that replicas do not come in step.
constexpr int kShortestWatch = 300;
constexpr int kLongestWatch = 600;

// Writing to a connection that the peer has closed raises SIGPIPE, from httplib and OpenSSL alike.
// Blocked, it becomes the error that both expect.
void BlockSigpipe() {
  sigset_t signals;
  sigemptyset(&signals);
  sigaddset(&signals, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
}

std::string Target(ObjectKind kind, const std::string& query) {
  if (kind == ObjectKind::kNode) return "/api/v1/nodes?" + query;
  // Terminated pods hold nothing, and a cluster keeps thousands of them.
  return "/api/v1/pods?" + query +
         "&fieldSelector=" + EscapeForQuery("status.phase!=Succeeded,status.phase!=Failed");
}

// What the server says cannot be built upon: only a new list helps.
bool NeedsList(const Status& failure) {
  switch (failure.code()) {
    case absl::StatusCode::kOutOfRange:
    case absl::StatusCode::kAborted:
    case absl::StatusCode::kInvalidArgument:
      return true;
    default:
      return false;
  }
}

// Returns early when stopped.
void SleepFor(const std::stop_token& stop, milliseconds time) {
  std::mutex mutex;
  std::condition_variable_any never;
  std::unique_lock lock(mutex);
  never.wait_for(lock, stop, time, [] { return false; });
}

Counter& CounterOf(ObjectKind kind, const char* name, const char* help, Metrics& metrics) {
  return metrics.AddCounter(name, help, {{"kind", std::string(NameOf(kind))}});
}

template <class T>
void MoveAll(std::vector<T>& from, std::vector<T>& to) {
  to.insert(to.end(), std::make_move_iterator(from.begin()), std::make_move_iterator(from.end()));
}

}  // namespace

WatchMetrics::WatchMetrics(ObjectKind kind, Metrics& all)
    : lists(CounterOf(kind, "berth_kube_lists_total", "Complete lists taken.", all)),
      watches(CounterOf(kind, "berth_kube_watches_total", "Watches begun.", all)),
      failures(CounterOf(kind, "berth_kube_failures_total", "Lists and watches that failed.", all)),
      events(CounterOf(kind, "berth_kube_events_total", "Changes received.", all)),
      skipped(CounterOf(kind, "berth_kube_skipped_objects_total",
                        "Objects that could not be read and were left out.", all)) {}

ResourceWatch::ResourceWatch(ObjectKind kind, const ApiServerAccess& access, FactStore& store,
                             Rng::result_type seed, Metrics& metrics, Logger& log)
    : kind_(kind),
      store_(store),
      metrics_(kind, metrics),
      log_(log),
      client_(access),
      backoff_(seed),
      rng_(seed),
      thread_([this](const std::stop_token& stop) { Run(stop); }) {}

ResourceWatch::~ResourceWatch() {
  std::future<void> over = over_.get_future();
  thread_.request_stop();
  do {
    client_.Interrupt();  // again and again: a request that is just starting may miss it
  } while (over.wait_for(milliseconds(10)) != std::future_status::ready);
}

void ResourceWatch::Run(const std::stop_token& stop) {
  BlockSigpipe();
  while (!stop.stop_requested()) {
    progress_ = false;
    const Status status = Follow(stop);
    if (stop.stop_requested()) break;
    if (progress_) backoff_.Reset();
    if (!status.ok() || !progress_) SleepFor(stop, PauseAfter(status));
  }
  over_.set_value();
}

milliseconds ResourceWatch::PauseAfter(const Status& status) {
  constexpr milliseconds kAfterIdleWatch(1000);
  if (status.ok()) return kAfterIdleWatch;
  const milliseconds pause = backoff_.Next();
  if (NeedsList(status)) version_.clear();
  metrics_.failures.Increment();
  // One warning for a server that stays away, not one per attempt.
  log_.log(status.code() == told_ ? spdlog::level::debug : spdlog::level::warn,
           "msg=\"lost touch with the API server; trying again\" kind={} error={} next={} "
           "pause_ms={}",
           NameOf(kind_), Quoted(std::string(status.message())),
           version_.empty() ? "list" : "watch", pause.count());
  told_ = status.code();
  return pause;
}

void ResourceWatch::TellInTouch() {
  if (told_ == absl::StatusCode::kOk) return;
  told_ = absl::StatusCode::kOk;
  log_.info("msg=\"in touch with the API server again\" kind={}", NameOf(kind_));
}

Status ResourceWatch::Follow(const std::stop_token& stop) {
  if (version_.empty()) {
    Status listed = List(stop);
    if (!listed.ok()) return listed;
  }
  return Watch(stop);
}

Status ResourceWatch::List(const std::stop_token& stop) {
  std::vector<NodeFacts> nodes;
  std::vector<PodFacts> pods;
  std::string version, token;
  do {
    Result<ListPage> page = GetPage(stop, token);
    if (!page.ok()) return page.status();
    MoveAll(page->nodes, nodes);
    MoveAll(page->pods, pods);
    for (const std::string& why : page->skipped) Skip(why);
    if (version.empty()) version = page->version;  // later pages show no later state
    token = page->continue_token;
  } while (!token.empty());
  metrics_.lists.Increment();
  log_.info("msg=\"listed\" kind={} objects={} version={}", NameOf(kind_),
            nodes.size() + pods.size(), Quoted(version));
  TellInTouch();
  for (const PodFacts& pod : pods) TellIgnoredWish(pod);
  if (kind_ == ObjectKind::kNode) {
    store_.ReplaceNodes(std::move(nodes));
  } else {
    store_.ReplacePods(std::move(pods));
  }
  version_ = version;
  return absl::OkStatus();
}

Result<ListPage> ResourceWatch::GetPage(const std::stop_token& stop,
                                        const std::string& continue_token) {
  std::string query = "limit=" + std::to_string(page_objects_);
  if (!continue_token.empty()) query += "&continue=" + EscapeForQuery(continue_token);
  std::string body;
  const Status status =
      client_.Get(Target(kind_, query), kListPatience, [&](std::string_view bytes) {
        body += bytes;
        return body.size() <= kMaxPageBytes && !stop.stop_requested();
      });
  if (body.size() > kMaxPageBytes) return PageTooLong();
  if (!status.ok()) return status;
  return ParseListPage(kind_, body);
}

// Few clusters have objects that large, so smaller pages are only asked for where they have to be.
Status ResourceWatch::PageTooLong() {
  const std::string message = "a page of up to " + std::to_string(page_objects_) +
                              " objects is longer than " + std::to_string(kMaxPageBytes) +
                              " bytes; asking for fewer";
  page_objects_ = std::max(1, page_objects_ / 10);
  return absl::ResourceExhaustedError(message);
}

Status ResourceWatch::Watch(const std::stop_token& stop) {
  const int timeout = std::uniform_int_distribution(kShortestWatch, kLongestWatch)(rng_);
  const std::string query =
      "watch=true&allowWatchBookmarks=true&timeoutSeconds=" + std::to_string(timeout) +
      "&resourceVersion=" + EscapeForQuery(version_);
  metrics_.watches.Increment();
  LineSplitter lines(kMaxLineBytes);
  Status taken;
  const Status ended =
      client_.Get(Target(kind_, query), seconds(timeout + 30), [&](std::string_view bytes) {
        taken = lines.Append(bytes, [this](std::string_view line) { return TakeEvent(line); });
        return taken.ok() && !stop.stop_requested();
      });
  return taken.ok() ? ended : taken;
}

Status ResourceWatch::TakeEvent(std::string_view line) {
  Result<WatchEvent> event = ParseWatchEvent(kind_, line);
  if (!event.ok()) return event.status();
  progress_ = true;
  TellInTouch();
  if (!event->version.empty()) version_ = event->version;
  if (!event->skipped.empty()) Skip(event->skipped);
  if (!event->change) return absl::OkStatus();
  metrics_.events.Increment();
  const auto* pod = std::get_if<PodFacts>(&*event->change);
  if (event->added && pod != nullptr) TellIgnoredWish(*pod);
  store_.Apply(*std::move(event->change));
  return absl::OkStatus();
}

void ResourceWatch::Skip(const std::string& why) {
  metrics_.skipped.Increment();
  log_.warn("msg=\"skipped an object that cannot be read\" kind={} why={}", NameOf(kind_),
            Quoted(why));
}

void ResourceWatch::TellIgnoredWish(const PodFacts& pod) {
  const std::string wish = IgnoredWish(pod);
  if (wish.empty()) return;
  log_.warn("msg=\"passed over a wish that cannot be read\" pod={} wish={}",
            Quoted(pod.namespace_name + "/" + pod.name), Quoted(wish));
}

}  // namespace berth
