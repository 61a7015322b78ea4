#include "torch/policy_probation.h"

#include <fmt/format.h>

#include <utility>

namespace berth {

Result<ProbeReport> PolicyProbation::VerdictOn(const PolicyFile& file) {
  const std::string key = file.manifest.sha256 + file.manifest.schema_hash;
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = verdicts_.find(key); known != verdicts_.end()) return known->second;
  }
  const Result<ProbeReport> verdict = probe_(file);
  if (!absl::IsUnavailable(verdict.status())) {
    const std::lock_guard lock(mutex_);
    verdicts_.emplace(key, verdict);
  }
  return verdict;
}

Result<AdmittedPolicy> PolicyProbation::Admit(const std::filesystem::path& directory) {
  Result<PolicyFile> file = ReadPolicyFile(directory);
  if (!file.ok()) return file.status();
  const Result<ProbeReport> verdict = VerdictOn(*file);
  if (!verdict.ok()) {
    return Status(verdict.status().code(), fmt::format("{}: {}", (directory / "policy.pt").string(),
                                                       std::string(verdict.status().message())));
  }
  return AdmittedPolicy{*std::move(file), *verdict};
}

}  // namespace berth
