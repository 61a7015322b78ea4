#include "torch/export.h"

#include <fmt/format.h>
#include <torch/script.h>
#include <torch/version.h>

#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "base/log.h"
#include "policy/fgd_bestfit.h"
#include "policy/heuristics.h"
#include "policy/sha256.h"
#include "torch/guarded.h"
#include "torch/manifest.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

constexpr char kForward[] = R"(
def forward(self, candidates: Tensor, context: Tensor) -> Tensor:
    return (candidates.double() * self.weights).sum(1).float()
)";

Result<std::string> ModuleBytes(const LinearPolicy& policy) {
  std::vector<double> weights;
  for (const LinearPolicy::Term& term : policy.terms) weights.push_back(term.weight);
  std::ostringstream bytes;  // a file's name would become part of its bytes
  const Status saved = Guarded([&] {
    torch::jit::Module module("LinearPolicy");
    module.register_buffer("weights", torch::tensor(weights, torch::kFloat64));
    module.define(kForward);
    module.eval();
    module.save(bytes);
    return absl::OkStatus();
  });
  if (!saved.ok()) return saved;
  return bytes.str();
}

Status WriteFile(const fs::path& file, std::string_view bytes) {
  std::ofstream stream(file, std::ios::binary | std::ios::trunc);
  stream << bytes << std::flush;
  if (stream) return absl::OkStatus();
  return absl::UnavailableError(fmt::format("{}: cannot be written", file.string()));
}

PolicyManifest Describe(const LinearPolicy& policy, std::string_view module_bytes) {
  const FeatureSchema schema = policy.Schema();
  return {
      .name = policy.name,
      .columns = schema.columns(),
      .context_columns = schema.context_columns(),
      .schema_hash = schema.Hash(),
      .sha256 = Sha256Hex(module_bytes),
      .created_by = fmt::format("berth policy export {} (libtorch {})", policy.name, TORCH_VERSION),
      .training = "\"none: the weights are the formula\"",
      .profile = std::nullopt};
}

}  // namespace

Status ExportLinearPolicy(const LinearPolicy& policy, const fs::path& directory) {
  const Result<std::string> bytes = ModuleBytes(policy);
  if (!bytes.ok()) return bytes.status();
  std::error_code error;
  fs::create_directories(directory, error);
  if (error) {
    return absl::UnavailableError(
        fmt::format("{}: cannot be created: {}", directory.string(), error.message()));
  }
  if (Status status = WriteFile(directory / "policy.pt", *bytes); !status.ok()) return status;
  return WriteFile(directory / "manifest.json", WriteManifest(Describe(policy, *bytes)));
}

Status ExportHeuristic(std::string_view name, const fs::path& directory) {
  if (const auto known = MakeHeuristic(name); !known.ok()) return known.status();
  const LinearPolicy linear = FgdBestFit();
  if (name == linear.name) return ExportLinearPolicy(linear, directory);
  return absl::UnimplementedError(
      fmt::format("{} is not linear over named columns; {} is", Quoted(name), linear.name));
}

}  // namespace berth
