#include "torch/stored_bytes.h"

#include <caffe2/serialize/inline_container.h>

#include <sstream>
#include <string_view>

namespace berth {

StoredBytes::StoredBytes(const std::string& archive) {
  std::istringstream stream(archive);
  caffe2::serialize::PyTorchStreamReader reader(&stream);
  for (const std::string& name : reader.getAllRecords()) {
    const auto [data, size] = reader.getRecord(name);
    records_.emplace(static_cast<const char*>(data.get()), size);
  }
}

bool StoredBytes::Has(const torch::Tensor& tensor) const {
  const c10::Storage& storage = tensor.storage();
  const std::string_view memory(static_cast<const char*>(storage.data()), storage.nbytes());
  return memory.empty() || records_.contains(memory);
}

}  // namespace berth
