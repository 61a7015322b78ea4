#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "torch/manifest.h"

namespace berth {

// TorchScript policies that tests make up. libtorch's errors are thrown.

// The file of a module with these methods, without parameters.
std::string ModuleBytes(const std::string& methods);

// The file of a network with one hidden layer and random weights, which reads its context.
std::string NetworkBytes(Rng& rng, size_t columns, size_t context_columns);

// A manifest that fits the module and the columns.
PolicyManifest ManifestFor(std::string_view module_bytes, std::vector<std::string> columns,
                           std::vector<std::string> context_columns = {});

void WritePolicy(const std::filesystem::path& directory, const PolicyManifest& manifest,
                 std::string_view module_bytes);

}  // namespace berth
