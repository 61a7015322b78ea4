#pragma once

#include <cstddef>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <vector>

#include "berth/node.h"
#include "berth/pod.h"
#include "sim/csv.h"

namespace berth {

// Beyond any machine, and small enough that sums over a trace stay far within int64.
inline constexpr int64_t kMostMilliCpu = 100'000'000;
inline constexpr int64_t kMostMiB = 1'000'000'000;

// Which columns of a list say what a pod asks for.
struct DemandColumns {
  size_t gpus = 0;                  // 0 to kMaxGpusPerNode
  std::optional<size_t> gpu_milli;  // of each GPU: 1000 for several; none: whole GPUs
  std::optional<size_t> cpu_milli;  // none: no CPU
  std::optional<size_t> memory_mib;
  std::optional<size_t> models;  // accepted ones, such as "T4|P100"; empty: any
};

// Reads what pods ask for. GPUs are handed out in shares, so the demands are managed ones.
class DemandReader {
 public:
  // A pod with GPUs that names models has to name one that `nodes` have.
  explicit DemandReader(std::span<const NodeSpec> nodes);

  Demand Read(CsvRecordReader& record, const DemandColumns& columns) const;

 private:
  AllowedModels ReadModels(CsvRecordReader& record, size_t column) const;
  std::vector<std::string> ModelNames() const;

  std::set<GpuModel> models_;  // of the nodes
};

}  // namespace berth
