#include "decisions/decision_log.h"

#include <sched.h>

#include <utility>

#include "decisions/decision_record.h"

namespace berth {
namespace {

Counter& AddOutcome(Metrics& metrics, const std::string& outcome) {
  return metrics.AddCounter("berth_decisions_total",
                            "Decisions by what became of them in the decision log.",
                            {{"outcome", outcome}});
}

}  // namespace

DecisionLog::DecisionLog(std::string file, const Retention& retention, const Clock& clock,
                         const WallClock& wall_clock, Metrics& metrics, Logger& log)
    : file_(std::move(file)),
      retention_(retention),
      clock_(clock),
      wall_clock_(wall_clock),
      log_(log),
      logged_(AddOutcome(metrics, "logged")),
      dropped_(AddOutcome(metrics, "dropped")),
      failed_(AddOutcome(metrics, "failed")),
      up_(metrics.AddGauge("berth_decision_log_up", "Whether decisions are written.")) {
  queue_.reserve(kQueue);
  Open();
  thread_ = std::thread([this] { WriteAll(); });
}

DecisionLog::~DecisionLog() {
  {
    const std::scoped_lock lock(mutex_);
    stopping_ = true;
  }
  wake_.notify_one();
  thread_.join();
}

void DecisionLog::Offer(Decision decision) {
  {
    const std::scoped_lock lock(mutex_);
    if (queue_.size() >= kQueue) {
      dropped_.Increment();
      return;
    }
    queue_.push_back(std::move(decision));
  }
  wake_.notify_one();
}

void DecisionLog::WriteAll() {
  // Woken by whoever answers, this thread must not take its processor away. As a batch it has the
  // same share of the processors, later. Where that is refused it only costs time.
  const sched_param none{};
  sched_setscheduler(0, SCHED_BATCH, &none);
  std::vector<Decision> taken;
  taken.reserve(kQueue);
  while (true) {
    {
      std::unique_lock lock(mutex_);
      wake_.wait(lock, [this] { return stopping_ || !queue_.empty(); });
      if (queue_.empty()) return;
      taken.swap(queue_);
    }
    Write(taken);
    taken.clear();
  }
}

void DecisionLog::Write(const std::vector<Decision>& decisions) {
  const auto count = static_cast<double>(decisions.size());
  if (!store_ && (clock_.Now() < retry_at_ || !Open())) {
    failed_.Increment(count);
    return;
  }
  std::vector<DecisionRecord> records;
  records.reserve(decisions.size());
  for (const Decision& decision : decisions) records.push_back(RecordOf(decision));
  if (Status status = store_->Append(records, wall_clock_.Now()); !status.ok()) {
    GoDown(status);
    failed_.Increment(count);
    return;
  }
  up_.Set(1);
  if (std::exchange(warned_, false)) {
    log_.info("msg=\"decisions are logged again\" file={}", Quoted(file_));
  }
  logged_.Increment(count);
}

// Whether the file is open. The log is up again only once something was written.
bool DecisionLog::Open() {
  Result<DecisionStore> store = DecisionStore::Open(file_, retention_);
  if (!store.ok()) {
    GoDown(store.status());
    return false;
  }
  store_ = *std::move(store);
  if (!warned_) up_.Set(1);
  return true;
}

void DecisionLog::GoDown(const Status& why) {
  store_.reset();
  retry_at_ = clock_.Now() + kRetry;
  up_.Set(0);
  if (std::exchange(warned_, true)) return;
  log_.warn("msg=\"decisions are not logged; tried again every minute\" error={}",
            Quoted(std::string(why.message())));
}

}  // namespace berth
