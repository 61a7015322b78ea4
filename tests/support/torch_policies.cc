#include "support/torch_policies.h"

#include <caffe2/serialize/inline_container.h>
#include <torch/script.h>

#include <fstream>
#include <random>
#include <sstream>
#include <utility>

#include "berth/features.h"
#include "policy/sha256.h"

namespace berth {
namespace {

std::string Save(const torch::jit::Module& module) {
  std::ostringstream bytes;
  module.save(bytes);
  return bytes.str();
}

using Reader = caffe2::serialize::PyTorchStreamReader;
using Writer = caffe2::serialize::PyTorchStreamWriter;

std::string Contents(Reader& archive, const std::string& record) {
  const auto [data, size] = archive.getRecord(record);
  return {static_cast<const char*>(data.get()), size};
}

// A copy of the file whose records are as `edit` says, and what `add` writes behind them.
std::string Rewrite(const std::string& bytes,
                    const std::function<std::string(const std::string& name, std::string)>& edit,
                    const std::function<void(Writer&)>& add) {
  std::istringstream stream(bytes);
  Reader from(&stream);
  std::string rewritten;
  Writer to([&](const void* data, size_t size) {
    rewritten.append(static_cast<const char*>(data), size);
    return size;
  });
  for (const std::string& name : from.getAllRecords()) {
    if (name == "version") continue;  // the writer adds its own
    const std::string contents = edit(name, Contents(from, name));
    to.writeRecord(name, contents.data(), contents.size());
  }
  add(to);
  to.writeEndOfFile();
  return rewritten;
}

torch::Tensor RandomWeights(Rng& rng, int64_t rows, int64_t columns) {
  std::normal_distribution<float> weight(0, 0.3f);
  torch::Tensor weights = torch::empty({rows, columns});
  for (int64_t i = 0; i < weights.numel(); ++i) weights.data_ptr<float>()[i] = weight(rng);
  return weights;
}

}  // namespace

std::string ModuleBytes(const std::string& methods) {
  torch::jit::Module module("Policy");
  module.define(methods);
  return Save(module);
}

std::string ModuleBytes(const std::string& methods, const at::Tensor& weights) {
  torch::jit::Module module("Policy");
  module.register_buffer("weights", weights);
  module.define(methods);
  return Save(module);
}

std::string WithRecord(const std::string& bytes, const std::string& name, const RecordEdit& edit) {
  return Rewrite(
      bytes,
      [&](const std::string& record, const std::string& contents) {
        return record == name ? edit(contents) : contents;
      },
      [](Writer&) {});
}

std::string WithZeros(const std::string& bytes, const std::string& name, size_t size) {
  return Rewrite(
      bytes, [](const std::string&, std::string contents) { return contents; },
      [&](Writer& file) {
        const std::string zeros(size, '\0');
        file.writeRecord(name, zeros.data(), zeros.size(), /*compress=*/true);
      });
}

std::string NetworkBytes(Rng& rng, size_t columns, size_t context_columns) {
  constexpr int64_t kHidden = 16;
  torch::jit::Module module("Network");
  const auto add = [&](const char* name, size_t rows) {
    module.register_parameter(name, RandomWeights(rng, static_cast<int64_t>(rows), kHidden), false);
  };
  add("of_row", columns);
  add("of_context", context_columns);
  add("out", 1);
  module.define(R"(
def forward(self, candidates: Tensor, context: Tensor) -> Tensor:
    hidden = candidates.matmul(self.of_row) + context.matmul(self.of_context)
    return hidden.tanh().matmul(self.out[0])
)");
  return Save(module);
}

PolicyManifest ManifestFor(std::string_view module_bytes, std::vector<std::string> columns,
                           std::vector<std::string> context_columns) {
  const FeatureSchema schema =
      FeatureSchema::Make(std::move(columns), std::move(context_columns)).value();
  return {.name = "made-up",
          .version = "1",
          .columns = schema.columns(),
          .context_columns = schema.context_columns(),
          .schema_hash = schema.Hash(),
          .sha256 = Sha256Hex(module_bytes),
          .libtorch = "1.13.1",
          .created = "2026-01-02T03:04:05Z",
          .created_by = "a test",
          .profile = std::nullopt};
}

void WritePolicy(const std::filesystem::path& directory, const PolicyManifest& manifest,
                 std::string_view module_bytes) {
  std::filesystem::create_directories(directory);
  std::ofstream(directory / "manifest.json", std::ios::binary) << WriteManifest(manifest);
  std::ofstream(directory / "policy.pt", std::ios::binary) << module_bytes;
}

}  // namespace berth
