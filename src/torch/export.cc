#include "torch/export.h"

#include <fmt/format.h>
#include <torch/script.h>
#include <torch/version.h>

#include <sstream>
#include <string>
#include <vector>

#include "base/log.h"
#include "policy/fgd_bestfit.h"
#include "policy/heuristics.h"
#include "torch/guarded.h"
#include "torch/manifest.h"
#include "torch/policy_writer.h"

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

}  // namespace

Status ExportLinearPolicy(const LinearPolicy& policy, const fs::path& directory) {
  const Result<std::string> bytes = ModuleBytes(policy);
  if (!bytes.ok()) return bytes.status();
  return WritePolicy(directory, *bytes,
                     {.name = policy.name,
                      .columns = policy.Schema().columns(),
                      .created_by = fmt::format("berth policy export {} (libtorch {})", policy.name,
                                                TORCH_VERSION),
                      .training = "\"none: the weights are the formula\""});
}

Status ExportHeuristic(std::string_view name, const fs::path& directory) {
  if (const auto known = MakeHeuristic(name); !known.ok()) return known.status();
  const LinearPolicy linear = FgdBestFit();
  if (name == linear.name) return ExportLinearPolicy(linear, directory);
  return absl::UnimplementedError(
      fmt::format("{} is not linear over named columns; {} is", Quoted(name), linear.name));
}

}  // namespace berth
