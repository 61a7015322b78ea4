#pragma once

#include <filesystem>

namespace berth {

// Where the files of a directory lie. The kubelet mounts a ConfigMap or Secret as links to
// `..data/FILE`, and replaces them all at once by putting another directory under `..data`: who
// resolves that first and reads there sees files that belong together. A plain directory is itself.
// Never throws; what does not exist is returned as it is.
std::filesystem::path WhereFilesLie(const std::filesystem::path& directory);

// Whether it is mounted so: then nobody but the kubelet can change it. Never throws.
bool IsMounted(const std::filesystem::path& directory);

}  // namespace berth
