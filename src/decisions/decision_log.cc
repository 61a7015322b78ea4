#include "decisions/decision_log.h"

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
      failed_(AddOutcome(metrics, "failed")),
      up_(metrics.AddGauge("berth_decision_log_up", "Whether decisions are written.")) {
  Open();
  queue_.emplace([this](const std::vector<DecisionPtr>& decisions) { Write(decisions); },
                 AddOutcome(metrics, "dropped"));
}

void DecisionLog::Write(const std::vector<DecisionPtr>& decisions) {
  const auto count = static_cast<double>(decisions.size());
  if (!store_ && (clock_.Now() < retry_at_ || !Open())) {
    failed_.Increment(count);
    return;
  }
  std::vector<DecisionRecord> records;
  records.reserve(decisions.size());
  for (const DecisionPtr& decision : decisions) records.push_back(RecordOf(*decision));
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
