#include "apps/berth/training_files.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <system_error>
#include <utility>

#include "base/bounded_file.h"
#include "base/durable_file.h"
#include "base/staged_file.h"
#include "learn/checkpoint.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxCheckpointBytes = size_t{1} << 30;
constexpr size_t kMaxLogBytes = size_t{1} << 30;

Status NamedAfter(const fs::path& file, const Status& why) {
  return {why.code(), fmt::format("{}: {}", file.string(), std::string(why.message()))};
}

std::string LineOf(const GenerationReport& report, std::chrono::duration<double> took) {
  nlohmann::ordered_json line = {{"generation", report.generations_done},
                                 {"stage", report.stage},
                                 {"regime", NameOf(report.regime)},
                                 {"episodes", report.episodes}};
  if (report.gradient) {
    line["mean_return"] = report.gradient->mean_return;
    line["choices"] = report.gradient->choices;
    line["explained_variance"] = report.gradient->explained_variance;
    line["loss"] = report.gradient->learning.loss;
    line["entropy"] = report.gradient->learning.entropy;
    line["clip_fraction"] = report.gradient->learning.clip_fraction;
    line["kl"] = report.gradient->learning.divergence;
    line["agreement"] = report.gradient->learning.agreement;
  }
  if (report.evolution) {
    line["mean_points"] = report.evolution->mean_points;
    line["best_points"] = report.evolution->best_points;
    line["step"] = report.evolution->step;
  }
  if (report.validation) {
    line["validation"] = report.validation->points;
    line["validation_of_pods"] = report.validation->of_pods;
    line["is_best"] = report.is_best;
  }
  line["seconds"] = took.count();
  return line.dump() + "\n";
}

// The first lines of a text, at most so many, without one that lacks its end.
std::string_view FirstLines(std::string_view text, size_t lines) {
  size_t end = 0;
  for (; lines > 0; --lines) {
    const size_t newline = text.find('\n', end);
    if (newline == text.npos) break;
    end = newline + 1;
  }
  return text.substr(0, end);
}

Status Replace(const fs::path& file, std::string_view bytes) {
  Status staged = StageFile(file, bytes);
  return staged.ok() ? PublishFile(file) : staged;
}

}  // namespace

TrainingFiles::TrainingFiles(fs::path directory, std::string recipe)
    : directory_(std::move(directory)), recipe_(std::move(recipe)) {}

Status TrainingFiles::Begin() const {
  std::error_code error;
  fs::create_directories(directory_, error);
  if (error) {
    return absl::UnavailableError(
        fmt::format("{}: cannot be created: {}", directory_.string(), error.message()));
  }
  if (fs::exists(Checkpoint())) {
    return absl::FailedPreconditionError(
        fmt::format("{} is of an earlier run: go on from it with --resume, or remove it",
                    Checkpoint().string()));
  }
  return Replace(Log(), "");
}

Result<std::string> TrainingFiles::ReadLog() const { return ReadBounded(Log(), kMaxLogBytes); }

Result<Training::State> TrainingFiles::Resume() const {
  const Result<std::string> bytes = ReadBounded(Checkpoint(), kMaxCheckpointBytes);
  if (!bytes.ok()) return bytes.status();
  Result<Training::State> state = ReadCheckpoint(*bytes, recipe_);
  if (!state.ok()) return NamedAfter(Checkpoint(), state.status());
  const Result<std::string> log = ReadLog();
  if (!log.ok()) return log.status();
  const Status cut = Replace(Log(), FirstLines(*log, state->generations_done));
  if (!cut.ok()) return cut;
  return state;
}

Status TrainingFiles::Keep(const Training& training, const GenerationReport& report,
                           std::chrono::duration<double> took) const {
  if (Status logged = AppendDurably(Log(), LineOf(report, took)); !logged.ok()) return logged;
  return Replace(Checkpoint(), WriteCheckpoint(training.state(), recipe_));
}

}  // namespace berth
