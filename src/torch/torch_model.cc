#include "torch/torch_model.h"

#include <ATen/Parallel.h>
#include <dlfcn.h>
#include <fmt/format.h>
#include <torch/script.h>

#include <algorithm>
#include <sstream>
#include <utility>

#include "torch/guarded.h"

namespace berth {
namespace {

// A tensor on the caller's numbers. libtorch has no tensors of const; a module that wrote into its
// input would write into this request's own rows only.
torch::Tensor TensorOn(std::span<const float> numbers, std::initializer_list<int64_t> shape) {
  return torch::from_blob(const_cast<float*>(numbers.data()), shape, torch::kFloat32);
}

Status CopyScores(const c10::IValue& result, std::span<float> scores) {
  if (!result.isTensor()) return absl::InternalError("forward must return a tensor");
  const torch::Tensor tensor = result.toTensor();
  const bool as_promised = tensor.scalar_type() == torch::kFloat32 && tensor.dim() == 1 &&
                           tensor.size(0) == static_cast<int64_t>(scores.size());
  if (!as_promised) {
    std::ostringstream got;
    got << tensor.dtype() << tensor.sizes();
    return absl::InternalError(
        fmt::format("forward must return float[{}], not {}", scores.size(), got.str()));
  }
  const torch::Tensor packed = tensor.contiguous();
  std::copy_n(packed.data_ptr<float>(), scores.size(), scores.begin());
  return absl::OkStatus();
}

class TorchModel final : public RowModel {
 public:
  TorchModel(torch::jit::Module module, size_t columns)
      : module_(std::move(module)), forward_(module_.get_method("forward")), columns_(columns) {}

  Status Evaluate(std::span<const float> rows, std::span<const float> context,
                  std::span<float> scores) const override {
    return Guarded([&] {
      // Optimising specialises to each new shape, which takes tens of milliseconds at a time.
      const torch::jit::GraphOptimizerEnabledGuard no_optimiser(false);
      const c10::InferenceMode no_gradients;
      const auto count = static_cast<int64_t>(scores.size());
      const auto width = static_cast<int64_t>(columns_);
      return CopyScores(forward_({TensorOn(rows, {count, width}),
                                  TensorOn(context, {static_cast<int64_t>(context.size())})}),
                        scores);
    });
  }

 private:
  const torch::jit::Module module_;  // owns what forward_ runs
  const torch::jit::Method forward_;
  const size_t columns_;
};

}  // namespace

// A request is small, and there are many at once. libtorch's own setting does not reach OpenBLAS,
// with which Debian's libtorch multiplies.
void UseOneThreadEach() {
  at::set_num_threads(1);
  using SetThreads = void (*)(int);
  if (void* symbol = dlsym(RTLD_DEFAULT, "openblas_set_num_threads")) {
    reinterpret_cast<SetThreads>(symbol)(1);
  }
}

Result<std::unique_ptr<const RowModel>> LoadTorchModel(const std::string& bytes, size_t columns) {
  std::unique_ptr<const RowModel> model;
  const Status loaded = Guarded([&] {
    UseOneThreadEach();
    std::istringstream stream(bytes);
    torch::jit::Module module = torch::jit::load(stream, torch::kCPU);
    module.eval();
    model = std::make_unique<TorchModel>(std::move(module), columns);
    return absl::OkStatus();
  });
  if (!loaded.ok()) return absl::InvalidArgumentError(loaded.message());
  return model;
}

}  // namespace berth
