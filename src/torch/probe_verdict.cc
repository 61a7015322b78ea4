#include "torch/probe_verdict.h"

#include <fmt/format.h>

#include <csignal>
#include <cstring>
#include <nlohmann/json.hpp>

#include "base/json_field.h"

namespace berth {
namespace {

using How = ChildEnd::How;
using Json = nlohmann::ordered_json;

Status Blame(const std::string& why) { return absl::FailedPreconditionError(why); }

// The longest that a measured time can be; a child that says more has not measured.
constexpr int64_t kMostMicroseconds = 3'600'000'000;

Result<ProbeReport> ReadReport(const JsonField& verdict) {
  if (Status keys = verdict.CheckKeys({"ok", "forward_us"}); !keys.ok()) return keys;
  const Result<int64_t> forward = verdict["forward_us"].Integer(0, kMostMicroseconds);
  if (!forward.ok()) return forward.status();
  return ProbeReport{std::chrono::microseconds(*forward)};
}

Result<ProbeReport> ReadVerdict(const std::string& output) {
  const Status garbage = Blame(
      "made the process that checks it say something else than a verdict: export it again, without "
      "code that prints");
  const auto json = ParseJsonDocument(output);
  if (!json.ok() || !json->is_object()) return garbage;
  const JsonField verdict(*json);
  if (!verdict.CheckKeys({"ok", "reason"}).ok()) {
    const Result<ProbeReport> report = ReadReport(verdict);
    return report.ok() ? report : garbage;
  }
  const Result<std::string> reason = verdict["reason"].NonEmptyString();
  return reason.ok() ? Blame(*reason) : garbage;
}

Status Crashed(int signal) {
  if (signal == SIGKILL) {
    return absl::UnavailableError(
        "could not be checked: something killed the process that checks it; see that the machine "
        "has memory to spare, and try again");
  }
  return Blame(
      fmt::format("crashed the process that checks it ({}): export it again, from a module "
                  "that libtorch runs on a CPU",
                  strsignal(signal)));
}

Status OutOfTime(const ChildLimits& limits) {
  return absl::UnavailableError(fmt::format(
      "could not be checked within {} s, of which it may compute for {} s: see that the "
      "machine has processors to spare, and try again",
      limits.time.count(), limits.cpu.count()));
}

}  // namespace

std::string WriteVerdict(const Result<ProbeReport>& verdict) {
  const Json json = verdict.ok()
                        ? Json{{"ok", true}, {"forward_us", verdict->forward.count()}}
                        : Json{{"ok", false}, {"reason", std::string(verdict.status().message())}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

Result<ProbeReport> VerdictOf(const ChildEnd& end, const ChildLimits& limits) {
  switch (end.how) {
    case How::kExited:
      return ReadVerdict(end.output);
    case How::kSignalled:
      return Crashed(end.code);
    case How::kOutOfCpu:
      return Blame(
          fmt::format("took more than {} s of processor time to check: make forward cheaper",
                      limits.cpu.count()));
    case How::kOutOfTime:
      return OutOfTime(limits);
    case How::kTooMuchOutput:
      return ReadVerdict("");
  }
  return ReadVerdict("");
}

}  // namespace berth
