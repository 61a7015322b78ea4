#include "apps/berth/resource_text.h"

#include <fmt/format.h>

namespace berth {

std::string Thousandths(int64_t milli) {
  return fmt::format("{:g}", static_cast<double>(milli) / 1000.0);
}

std::string DemandText(const Demand& demand) {
  std::string gpus = "no GPU";
  if (demand.IsShare()) {
    gpus = fmt::format("{} of one GPU", Thousandths(demand.per_gpu.value()));
  } else if (demand.gpus > 0) {
    gpus = fmt::format("{} whole GPU{}", demand.gpus, demand.gpus == 1 ? "" : "s");
  }
  if (demand.accounting == GpuAccounting::kManaged) gpus += " that Berth hands out";
  if (!demand.models.AllowsAny()) {
    gpus += fmt::format(" ({})", fmt::join(demand.models.alternatives(), " or "));
  }
  return fmt::format("{}, {} CPU, {} MiB", gpus, Thousandths(demand.cpu.value()),
                     demand.memory.value());
}

std::string FreeText(const FreeState& free, const GpuModel& model) {
  std::string gpus = "no GPUs";
  if (!free.gpus.empty()) {
    gpus = fmt::format("{} of {} GPUs", Thousandths(free.TotalGpu().value()), free.gpus.size());
    if (!model.empty()) gpus += fmt::format(" ({})", model.value());
  }
  return fmt::format("{}, {} CPU, {} MiB free", gpus, Thousandths(free.cpu.value()),
                     free.memory.value());
}

}  // namespace berth
