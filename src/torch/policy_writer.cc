#include "torch/policy_writer.h"

#include <fmt/format.h>

#include <utility>

#include "base/staged_file.h"
#include "berth/features.h"
#include "policy/sha256.h"

namespace berth {
namespace fs = std::filesystem;

Status WritePolicy(const fs::path& directory, const std::string& module_bytes,
                   PolicyManifest manifest) {
  const auto schema = FeatureSchema::Make(manifest.columns, manifest.context_columns);
  if (!schema.ok()) return schema.status();
  manifest.schema_hash = schema->Hash();
  manifest.sha256 = Sha256Hex(module_bytes);
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) {
    return absl::UnavailableError(
        fmt::format("{}: cannot be created: {}", directory.string(), error.message()));
  }
  const fs::path module_file = directory / "policy.pt", manifest_file = directory / "manifest.json";
  Status done = StageFile(module_file, module_bytes);
  if (done.ok()) done = StageFile(manifest_file, WriteManifest(manifest));
  if (done.ok()) done = PublishFile(module_file);
  if (done.ok()) done = PublishFile(manifest_file);
  return done;
}

}  // namespace berth
