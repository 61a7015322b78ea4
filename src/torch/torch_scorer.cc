#include "torch/torch_scorer.h"

#include <fmt/format.h>

#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "policy/row_scorer.h"
#include "torch/policy_contract.h"
#include "torch/torch_model.h"

namespace berth {
namespace {

// The first forwards of a size are slow; requests shall not pay for that.
Status WarmUp(const RowModel& model, size_t columns, size_t context_columns) {
  const std::vector<float> context(context_columns);
  for (size_t count : {16, 256, 4096}) {
    const std::vector<float> rows(count * columns);
    std::vector<float> scores(count);
    if (Status status = model.Evaluate(rows, context, scores); !status.ok()) return status;
  }
  return absl::OkStatus();
}

Result<std::unique_ptr<const RowModel>> LoadModel(const PolicyFile& file) {
  const size_t columns = file.schema.columns().size();
  const size_t context_columns = file.schema.context_columns().size();
  auto model = LoadTorchModel(file.module_bytes, columns);
  if (!model.ok()) return model.status();
  Status checked = CheckPolicyContract(**model, columns, context_columns);
  if (checked.ok()) checked = WarmUp(**model, columns, context_columns);
  if (!checked.ok()) return checked;
  return model;
}

}  // namespace

Result<ScorerPtr> MakeTorchPolicy(PolicyFile file, Logger& log) {
  auto model = LoadModel(file);
  if (!model.ok()) return model.status();
  const PolicyManifest& manifest = file.manifest;
  log.info("msg=\"policy loaded\" policy={} sha256={} profile={}", Quoted(manifest.name),
           manifest.sha256, Quoted(manifest.profile.value_or("any")));
  return MakeRowScorer(manifest.name, std::move(file.schema), *std::move(model));
}

Result<ScorerPtr> LoadTorchPolicy(const std::filesystem::path& directory, Logger& log) {
  Result<PolicyFile> file = ReadPolicyFile(directory);
  if (!file.ok()) return file.status();
  Result<ScorerPtr> policy = MakeTorchPolicy(*std::move(file), log);
  if (policy.ok()) return policy;
  return Status(policy.status().code(), fmt::format("{}: {}", (directory / "policy.pt").string(),
                                                    std::string(policy.status().message())));
}

}  // namespace berth
