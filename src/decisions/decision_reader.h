#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "berth/result.h"
#include "decisions/database.h"
#include "decisions/decision_record.h"

namespace berth {

// What the log knows of one pod.
struct PodDecisions {
  int64_t count = 0;    // kube-scheduler asks again about a pod that found no place
  DecisionRecord last;  // the newest of them
};

// Reads a decision log, also while a service writes it. Used by one thread at a time; blocks on the
// disk. Errors name the file: NOT_FOUND, there is none; those of CheckSchema; DATA_LOSS, it is
// damaged; INVALID_ARGUMENT that also names the decision and the field.
class DecisionReader {
 public:
  static Result<DecisionReader> Open(const std::string& file);

  // The pod is "namespace/name", a name, a UID, or the number of a request.
  // Errors: also NOT_FOUND, and INVALID_ARGUMENT when pods of several namespaces have that name.
  Result<PodDecisions> OfPod(const std::string& pod);

  // The next decisions, oldest first and `most` at a time; empty at the end. Between calls the
  // writer may write and delete.
  Result<std::vector<DecisionRecord>> Next(int64_t most);

 private:
  DecisionReader(std::string file, Database database)
      : file_(std::move(file)), database_(std::move(database)) {}

  Result<DecisionRecord> Read(const Statement& row);
  Result<WorkloadProfilePtr> ReadProfile(const Statement& row);

  std::string file_;
  Database database_;
  int64_t last_id_ = 0;  // that Next has given
  WorkloadProfilePtr profile_;
  int64_t profile_id_ = 0;  // of profile_
};

}  // namespace berth
