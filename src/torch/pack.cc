#include "torch/pack.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/json_field.h"
#include "berth/features.h"
#include "policy/sha256.h"

namespace berth {
namespace {

// For the reader of manifests, until the columns are known to be sound.
const std::string kNotYetKnown(64, '0');

}  // namespace

Result<PolicyManifest> PackManifest(std::string_view about_json, std::string_view module_bytes,
                                    const PolicyManifest& packer) {
  Result<nlohmann::json> about = ParseJsonDocument(about_json);
  if (!about.ok()) return about.status();
  if (!about->is_object()) return absl::InvalidArgumentError("must be a JSON object");
  const nlohmann::json filled_in = {
      {"format", PolicyManifest::kFormat}, {"schema_hash", kNotYetKnown},
      {"sha256", Sha256Hex(module_bytes)}, {"libtorch", packer.libtorch},
      {"created", packer.created},         {"created_by", packer.created_by}};
  for (const auto& [key, value] : filled_in.items()) {
    if (about->contains(key)) {
      return absl::InvalidArgumentError(
          fmt::format("{}: is worked out when the policy is packed; leave it out", key));
    }
    (*about)[key] = value;
  }
  Result<PolicyManifest> manifest = ParseManifest(about->dump());
  if (!manifest.ok()) return manifest;
  const auto schema = FeatureSchema::Make(manifest->columns, manifest->context_columns);
  if (!schema.ok()) return schema.status();
  manifest->schema_hash = schema->Hash();
  return manifest;
}

}  // namespace berth
