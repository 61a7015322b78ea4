#include "apps/berth/simulated_policy.h"

#include <filesystem>
#include <memory>
#include <utility>

#include "apps/berth/data_path.h"
#include "base/log.h"
#include "learn/learned_sim_policy.h"
#include "torch/learned_file.h"
#include "torch/torch_scorer.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

Result<fs::path> DirectoryOf(const std::string& name) {
  Result<fs::path> directory = FindData(name, ProgramDirectory());
  return directory.ok() ? directory : FindData(fs::path("policies") / name, ProgramDirectory());
}

// As the policy is called, or where a built-in one is called that, as it was asked for.
std::string NameApart(std::string_view policy, const std::string& asked_for) {
  return FindSimPolicy(policy).ok() ? asked_for : std::string(policy);
}

}  // namespace

std::string SimulatedPolicyNames() {
  std::string names;
  for (const SimPolicy& policy : SimPolicies()) names += policy.name + ", ";
  return names + "or the directory of a policy file";
}

Result<SimPolicy> FindSimulatedPolicy(const std::string& name) {
  Result<SimPolicy> built_in = FindSimPolicy(name);
  if (built_in.ok()) return built_in;
  const Result<fs::path> directory = DirectoryOf(name);
  if (!directory.ok()) return built_in;
  Result<LearnedPolicy> learned = ReadLearnedPolicy(*directory);
  if (learned.ok()) return Simulated(std::make_shared<const LearnedPolicy>(*std::move(learned)));
  if (!absl::IsUnimplemented(learned.status())) return learned.status();
  const Result<ScorerPtr> torch = LoadTorchPolicy(*directory, *MakeStderrLogger("berth", "warn"));
  if (!torch.ok()) return torch.status();
  return SimPolicy{.name = NameApart((*torch)->name(), name),
                   .published = "",
                   .make = [scorer = *torch](const SimCluster&) { return scorer; }};
}

}  // namespace berth
