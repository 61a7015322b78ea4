#include "torch/learned_file.h"

#include <fmt/format.h>
#include <torch/script.h>

#include <sstream>
#include <utility>
#include <vector>

#include "cluster/mix_numbers.h"
#include "torch/guarded.h"
#include "torch/policy_file.h"
#include "torch/policy_writer.h"
#include "torch/torch_version.h"

namespace berth {
namespace {

constexpr char kWeights[] = "weights";
constexpr int64_t kRegimes = 2;
constexpr int64_t kTerms = 1 + kMixNumbers;  // what mixes have in common, and what each number adds
constexpr int64_t kOfKind = 2 * kStateFeatures;

constexpr char kForward[] = R"(
def forward(self, candidates: Tensor, context: Tensor) -> Tensor:
    regime = self.weights.select(0, int(context[0].item()))
    terms = torch.cat([torch.ones_like(context[:1]), context[1:]]).double()
    weights = torch.matmul(terms, regime.flatten(1)).view(regime.size(1), regime.size(2))
    kinds = candidates[:, :regime.size(1)].double()
    features = candidates[:, regime.size(1):].double()
    return (kinds * torch.matmul(features, weights.t())).sum(1).float()
)";

std::vector<std::string> Columns() {
  std::vector<std::string> columns = {"is_no_gpu", "is_small_share", "is_large_share", "is_one_gpu",
                                      "is_several_gpus"};
  for (const char* when : {"before", "after"}) {
    for (const FeatureColumn& feature : StateFeatureTable()) {
      columns.push_back(fmt::format("{}_{}", feature.name, when));
    }
  }
  return columns;
}

std::vector<std::string> ContextColumnNames() {
  std::vector<std::string> columns = {"regime"};
  for (const FeatureColumn& number : MixNumberTable()) columns.emplace_back(number.name);
  return columns;
}

Result<std::string> ModuleBytes(const LearnedPolicy& policy) {
  std::vector<double> weights;
  ForEachWeight(policy, [&](double weight) { weights.push_back(weight); });
  std::ostringstream bytes;  // a file's name would become part of its bytes
  const Status saved = Guarded([&] {
    torch::jit::Module module("LearnedPolicy");
    const auto shape = {kRegimes, kTerms, static_cast<int64_t>(kPodKinds), kOfKind};
    module.register_buffer(kWeights, torch::tensor(weights, torch::kFloat64).view(shape));
    module.define(kForward);
    module.eval();
    module.save(bytes);
    return absl::OkStatus();
  });
  if (!saved.ok()) return saved;
  return bytes.str();
}

Result<std::vector<double>> ReadWeights(const std::string& module_bytes) {
  std::vector<double> weights;
  const Status read = Guarded([&]() -> Status {
    std::istringstream stream(module_bytes);
    const torch::jit::Module module = torch::jit::load(stream, torch::kCPU);
    if (!module.hasattr(kWeights)) return absl::UnimplementedError("it has no weights");
    const torch::Tensor tensor = module.attr(kWeights).toTensor().contiguous();
    const bool as_written =
        tensor.scalar_type() == torch::kFloat64 &&
        tensor.sizes() == torch::IntArrayRef({kRegimes, kTerms, int64_t{kPodKinds}, kOfKind});
    if (!as_written) return absl::UnimplementedError("its weights have another shape");
    weights.assign(tensor.data_ptr<double>(), tensor.data_ptr<double>() + tensor.numel());
    return absl::OkStatus();
  });
  if (!read.ok()) return read;
  return weights;
}

}  // namespace

FeatureSchema LearnedSchema() {
  return FeatureSchema::Make(Columns(), ContextColumnNames()).value();
}

Status WriteLearnedPolicy(const LearnedPolicy& policy, PolicyManifest about,
                          const std::filesystem::path& directory) {
  const Result<std::string> bytes = ModuleBytes(policy);
  if (!bytes.ok()) return bytes.status();
  about.name = policy.name;
  about.columns = Columns();
  about.context_columns = ContextColumnNames();
  about.libtorch = TorchVersion();
  return WritePolicy(directory, *bytes, std::move(about));
}

Result<LearnedPolicy> ReadLearnedPolicy(const std::filesystem::path& directory) {
  const Result<PolicyFile> file = ReadPolicyFile(directory);
  if (!file.ok()) return file.status();
  const auto refused = [&](std::string_view why) {
    return absl::UnimplementedError(
        fmt::format("{}: not a learned policy of this kind: {}", directory.string(), why));
  };
  const bool same_columns =
      file->schema.columns() == Columns() && file->schema.context_columns() == ContextColumnNames();
  if (!same_columns) return refused("it reads other columns");
  const Result<std::vector<double>> weights = ReadWeights(file->module_bytes);
  if (!weights.ok()) return refused(std::string(weights.status().message()));
  LearnedPolicy policy{.name = file->manifest.name};
  auto next = weights->begin();
  ForEachWeight(policy, [&](double& weight) { weight = *next++; });
  return policy;
}

}  // namespace berth
