#include "torch/policy_file.h"

#include <fmt/format.h>

#include <fstream>
#include <utility>

#include "policy/sha256.h"
#include "torch/archive.h"
#include "torch/schema_mismatch.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

constexpr uintmax_t kMaxManifestBytes = 1 << 20;

// The same error, with the file that it is about in front.
Status At(const fs::path& file, const Status& status) {
  return Status(status.code(), fmt::format("{}: {}", file.string(), std::string(status.message())));
}

Result<std::string> ReadFile(const fs::path& file, uintmax_t max_bytes) {
  std::error_code error;
  if (!fs::is_regular_file(file, error)) return absl::NotFoundError("there is no such file");
  const uintmax_t size = fs::file_size(file, error);
  if (error) return absl::UnavailableError(fmt::format("cannot be read: {}", error.message()));
  if (size > max_bytes) {
    return absl::InvalidArgumentError(fmt::format("has {} bytes, may have {}", size, max_bytes));
  }
  std::string bytes(size, '\0');
  std::ifstream stream(file, std::ios::binary);
  if (stream.read(bytes.data(), static_cast<std::streamsize>(size))) return bytes;
  return absl::UnavailableError("cannot be read");
}

Result<PolicyManifest> ReadManifest(const fs::path& file) {
  const Result<std::string> json = ReadFile(file, kMaxManifestBytes);
  if (!json.ok()) return json.status();
  return ParseManifest(*json);
}

Result<FeatureSchema> SchemaOf(const PolicyManifest& manifest) {
  Result<FeatureSchema> schema = FeatureSchema::Make(manifest.columns, manifest.context_columns);
  if (!schema.ok() || schema->Hash() == manifest.schema_hash) return schema;
  return absl::InvalidArgumentError(
      fmt::format("schema_hash: must be {} for these columns: {}", schema->Hash(),
                  ExplainSchemaMismatch(*schema, manifest.schema_hash)));
}

Result<std::string> ReadModule(const fs::path& file, std::string_view sha256) {
  Result<std::string> bytes = ReadFile(file, kMaxArchiveBytes);
  if (!bytes.ok()) return bytes;
  if (const std::string hash = Sha256Hex(*bytes); hash != sha256) {
    return absl::InvalidArgumentError(
        fmt::format("is not the file that the manifest describes: its SHA-256 is {}, must be {}",
                    hash, sha256));
  }
  if (Status status = CheckArchive(*bytes); !status.ok()) return status;
  return bytes;
}

}  // namespace

Result<PolicyFile> ReadPolicyFile(const fs::path& directory) {
  const fs::path manifest_file = directory / "manifest.json";
  Result<PolicyManifest> manifest = ReadManifest(manifest_file);
  if (!manifest.ok()) return At(manifest_file, manifest.status());
  Result<FeatureSchema> schema = SchemaOf(*manifest);
  if (!schema.ok()) return At(manifest_file, schema.status());
  const fs::path module_file = directory / "policy.pt";
  Result<std::string> bytes = ReadModule(module_file, manifest->sha256);
  if (!bytes.ok()) return At(module_file, bytes.status());
  return PolicyFile{*std::move(manifest), *std::move(schema), *std::move(bytes)};
}

}  // namespace berth
