#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace berth {

// A directory that may hold a policy, as far as its manifest tells.
struct PolicyDirectory {
  std::string directory;              // its name in the folder
  std::string name, version, sha256;  // empty when the manifest cannot be read
  std::string problem;                // why it cannot be read; empty: it can
};

// Those in a folder of policies, mounted or plain, by name; at most 1,000. Reads the manifests and
// nothing else. Never fails: a folder that cannot be read has none.
std::vector<PolicyDirectory> PoliciesIn(const std::filesystem::path& folder);

}  // namespace berth
