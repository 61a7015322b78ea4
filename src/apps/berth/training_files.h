#pragma once

#include <chrono>
#include <filesystem>
#include <string>

#include "berth/result.h"
#include "learn/training.h"

namespace berth {

// What a training leaves in its directory while it runs:
//   checkpoint      the state to go on from (learn/checkpoint.h), replaced after every generation
//   training.jsonl  a line of JSON per generation
// The log is written before the checkpoint, so a run that ends at any moment has at most a line too
// many, which Resume cuts off.
class TrainingFiles {
 public:
  TrainingFiles(std::filesystem::path directory, std::string recipe);

  // An empty log and no checkpoint. Errors: FAILED_PRECONDITION when there is a checkpoint already;
  // UNAVAILABLE when the directory cannot be made.
  Status Begin() const;

  // The state of the checkpoint, with the log cut back to it.
  // Errors: NOT_FOUND without a checkpoint; those of ReadCheckpoint, with the file named.
  Result<Training::State> Resume() const;

  // After a generation. Errors: UNAVAILABLE that names the file and the reason, such as a full
  // disk; the earlier checkpoint is intact, and so is the log up to it.
  Status Keep(const Training& training, const GenerationReport& report,
              std::chrono::duration<double> took) const;

  // The lines so far. Errors: those of ReadBounded (base/bounded_file.h).
  Result<std::string> ReadLog() const;

 private:
  std::filesystem::path Checkpoint() const { return directory_ / "checkpoint"; }
  std::filesystem::path Log() const { return directory_ / "training.jsonl"; }

  const std::filesystem::path directory_;
  const std::string recipe_;
};

}  // namespace berth
