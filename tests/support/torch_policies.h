#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "base/rng.h"
#include "torch/manifest.h"

namespace at {
class Tensor;
}

namespace berth {

// TorchScript policies that tests make up. libtorch's errors are thrown.

// The file of a module with these methods, without parameters.
std::string ModuleBytes(const std::string& methods);

// The file of a module that has `weights` as a buffer of that name.
std::string ModuleBytes(const std::string& methods, const at::Tensor& weights);

// What a record of a file becomes.
using RecordEdit = std::function<std::string(const std::string& contents)>;

// The same file with another record of this name, such as "data.pkl", all else and sums in order.
std::string WithRecord(const std::string& bytes, const std::string& name, const RecordEdit& edit);

// The same file with a compressed record more, of so many zeros.
std::string WithZeros(const std::string& bytes, const std::string& name, size_t size);

// The file of a network with one hidden layer and random weights, which reads its context.
std::string NetworkBytes(Rng& rng, size_t columns, size_t context_columns);

// A manifest that fits the module and the columns.
PolicyManifest ManifestFor(std::string_view module_bytes, std::vector<std::string> columns,
                           std::vector<std::string> context_columns = {});

void WritePolicy(const std::filesystem::path& directory, const PolicyManifest& manifest,
                 std::string_view module_bytes);

}  // namespace berth
