#include "sim/csv_demand.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <utility>

namespace berth {
namespace {

// The models that the bars in the text separate.
std::vector<std::string> SplitAtBars(const std::string& text) {
  std::vector<std::string> models;
  std::istringstream alternatives(text);
  for (std::string model; std::getline(alternatives, model, '|');) models.push_back(model);
  if (text.ends_with('|')) models.emplace_back();
  return models;
}

int64_t IntegerOr(int64_t fallback, CsvRecordReader& record, std::optional<size_t> column,
                  int64_t least, int64_t most) {
  return column ? record.Integer(*column, least, most) : fallback;
}

}  // namespace

DemandReader::DemandReader(std::span<const NodeSpec> nodes) {
  for (const NodeSpec& node : nodes) {
    if (node.gpus > 0) models_.insert(node.model);
  }
}

Demand DemandReader::Read(CsvRecordReader& record, const DemandColumns& columns) const {
  Demand demand{.cpu = MilliCpu(IntegerOr(0, record, columns.cpu_milli, 0, kMostMilliCpu)),
                .memory = MiB(IntegerOr(0, record, columns.memory_mib, 0, kMostMiB)),
                .gpus = static_cast<int>(record.Integer(columns.gpus, 0, kMaxGpusPerNode))};
  constexpr int64_t kWhole = kWholeGpu.value();
  const int64_t least = demand.gpus == 0 ? 0 : demand.gpus == 1 ? 1 : kWhole;
  const int64_t share = IntegerOr(kWhole, record, columns.gpu_milli, least, kWhole);
  if (demand.gpus == 0) return demand;
  demand.per_gpu = MilliGpu(share);
  demand.accounting = GpuAccounting::kManaged;
  if (columns.models) demand.models = ReadModels(record, *columns.models);
  return demand;
}

AllowedModels DemandReader::ReadModels(CsvRecordReader& record, size_t column) const {
  std::vector<std::string> alternatives = SplitAtBars(record.Text(column));
  if (std::ranges::find(alternatives, "") != alternatives.end()) {
    record.Reject(column, "models such as \"T4|P100\", or empty");
  }
  AllowedModels accepted(std::move(alternatives));
  const auto is_accepted = [&](const GpuModel& model) { return accepted.Allows(model); };
  if (!accepted.AllowsAny() && std::ranges::none_of(models_, is_accepted)) {
    record.Reject(column, fmt::format("empty, or have one of the nodes' models: {}",
                                      fmt::join(ModelNames(), ", ")));
  }
  return accepted;
}

std::vector<std::string> DemandReader::ModelNames() const {
  std::vector<std::string> names;
  for (const GpuModel& model : models_) names.push_back(model.value());
  return names;
}

}  // namespace berth
