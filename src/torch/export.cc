#include "torch/export.h"

#include <fmt/format.h>
#include <torch/script.h>

#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/log.h"
#include "policy/fgd_bestfit.h"
#include "policy/heuristics.h"
#include "torch/guarded.h"
#include "torch/manifest.h"
#include "torch/policy_writer.h"
#include "torch/torch_version.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

constexpr char kLinear[] = R"(
def forward(self, candidates: Tensor, context: Tensor) -> Tensor:
    return (candidates.double() * self.weights).sum(1).float()
)";

// FGD's whole scores (policy/fgd.cc): of columns in GPUs, which were rounded to float.
constexpr char kFgd[] = R"(
def forward(self, candidates: Tensor, context: Tensor) -> Tensor:
    decrease = (candidates.double() * self.weights).sum(1)
    return torch.floor(100 / (1 + torch.exp(-decrease))).float()
)";

Result<std::string> ModuleBytes(const LinearPolicy& policy, const char* forward) {
  std::vector<double> weights;
  for (const LinearPolicy::Term& term : policy.terms) weights.push_back(term.weight);
  std::ostringstream bytes;  // a file's name would become part of its bytes
  const Status saved = Guarded([&] {
    torch::jit::Module module("LinearPolicy");
    module.register_buffer("weights", torch::tensor(weights, torch::kFloat64));
    module.define(forward);
    module.eval();
    module.save(bytes);
    return absl::OkStatus();
  });
  if (!saved.ok()) return saved;
  return bytes.str();
}

Status Export(const LinearPolicy& policy, const char* forward, PolicyManifest about,
              const fs::path& directory) {
  const Result<std::string> bytes = ModuleBytes(policy, forward);
  if (!bytes.ok()) return bytes.status();
  about.name = policy.name;
  about.columns = policy.Schema().columns();
  about.libtorch = TorchVersion();
  about.training = "\"none: the weights are the formula\"";
  return WritePolicy(directory, *bytes, std::move(about));
}

LinearPolicy Fgd() {
  return {.name = "fgd", .terms = {{"fragmentation_before", 1}, {"fragmentation_after", -1}}};
}

}  // namespace

Status ExportLinearPolicy(const LinearPolicy& policy, PolicyManifest about,
                          const fs::path& directory) {
  return Export(policy, kLinear, std::move(about), directory);
}

Status ExportHeuristic(std::string_view name, PolicyManifest about, const fs::path& directory) {
  if (const auto known = MakeHeuristic(name); !known.ok()) return known.status();
  const LinearPolicy linear = FgdBestFit(), fgd = Fgd();
  if (name == linear.name) return Export(linear, kLinear, std::move(about), directory);
  if (name == fgd.name) return Export(fgd, kFgd, std::move(about), directory);
  return absl::UnimplementedError(fmt::format("{} has no TorchScript form; {} and {} have",
                                              Quoted(name), fgd.name, linear.name));
}

}  // namespace berth
