#include "service/policy_folder.h"

#include <algorithm>
#include <utility>

#include "base/bounded_file.h"
#include "rollout/mounted.h"
#include "rollout/rollout_plan.h"
#include "torch/manifest.h"

namespace berth {
namespace {

namespace fs = std::filesystem;

constexpr size_t kMaxManifestBytes = 1 << 20;
constexpr size_t kMaxDirectories = 1000;

// Other names, such as those of the kubelet, can be in no plan.
std::vector<std::string> Directories(const fs::path& place) {
  std::vector<std::string> names;
  std::error_code error;
  for (auto entry = fs::directory_iterator(place, error); entry != fs::directory_iterator();) {
    std::string name = entry->path().filename().string();
    std::error_code gone;
    if (entry->is_directory(gone) && IsPlanName(name)) names.push_back(std::move(name));
    if (entry.increment(error); error) break;
  }
  std::ranges::sort(names);
  if (names.size() > kMaxDirectories) names.resize(kMaxDirectories);
  return names;
}

PolicyDirectory Described(const fs::path& place, const std::string& name) {
  const fs::path file = WhereFilesLie(place / name) / "manifest.json";
  PolicyDirectory found{.directory = name, .name = {}, .version = {}, .sha256 = {}, .problem = {}};
  const Result<std::string> json = ReadBounded(file, kMaxManifestBytes);
  const Result<PolicyManifest> manifest = json.ok() ? ParseManifest(*json) : json.status();
  if (!manifest.ok()) {
    found.problem = std::string(manifest.status().message());
    return found;
  }
  found.name = manifest->name;
  found.version = manifest->version;
  found.sha256 = manifest->sha256;
  return found;
}

}  // namespace

std::vector<PolicyDirectory> PoliciesIn(const fs::path& folder) {
  const fs::path place = WhereFilesLie(folder);
  std::vector<PolicyDirectory> policies;
  for (const std::string& name : Directories(place)) policies.push_back(Described(place, name));
  return policies;
}

}  // namespace berth
