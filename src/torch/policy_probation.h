#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <mutex>
#include <string>

#include "berth/result.h"
#include "torch/policy_file.h"
#include "torch/policy_probe.h"

namespace berth {

// Probes a policy where it can do no harm, and blocks until that is done. Errors: UNAVAILABLE when
// it could not be probed; any other is the verdict.
using PolicyProber = std::function<Result<ProbeReport>(const PolicyFile& file)>;

struct AdmittedPolicy {
  PolicyFile file;  // the bytes that were probed: load these, not what the directory has by then
  ProbeReport report;
};

// What every policy passes before it serves. Remembers verdicts, good and bad, by the bytes of the
// module and the columns it is given, so the same policy is probed once; that a policy could not be
// probed is not remembered. Safe to call from many threads at once, which may both probe what
// neither knows.
class PolicyProbation {
 public:
  explicit PolicyProbation(PolicyProber probe) : probe_(std::move(probe)) {}

  // Reads the policy in `directory` (torch/policy_file.h) and probes it. Blocks.
  // Errors name the file and say what is wrong and how to mend it.
  Result<AdmittedPolicy> Admit(const std::filesystem::path& directory);

 private:
  Result<ProbeReport> VerdictOn(const PolicyFile& file);

  const PolicyProber probe_;
  std::mutex mutex_;
  std::map<std::string, Result<ProbeReport>> verdicts_;  // by SHA-256 and schema hash
};

}  // namespace berth
