#pragma once

#include <torch/script.h>

#include <functional>
#include <set>
#include <string>

namespace berth {

// The bytes of the tensors in a TorchScript file. libtorch believes what data.pkl says about the
// size of a tensor's memory and does not look how long the record with it is, so a file that lies
// makes it read, and pass on, whatever lies behind.
class StoredBytes {
 public:
  // REQUIRES: CheckArchive(archive) (torch/archive.h) was OK. libtorch's errors are thrown.
  explicit StoredBytes(const std::string& archive);

  // Whether the tensor's memory is what a record has, neither more nor less. Reads all of that
  // memory, and so may crash where it is not.
  bool Has(const torch::Tensor& tensor) const;

 private:
  std::set<std::string, std::less<>> records_;
};

}  // namespace berth
