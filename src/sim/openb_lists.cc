#include "sim/openb_lists.h"

#include <absl/container/flat_hash_map.h>
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <memory>
#include <optional>
#include <set>
#include <sstream>
#include <utility>

#include "sim/csv.h"

namespace berth {
namespace {

// Beyond any machine, and small enough that sums over a trace stay far within int64.
constexpr int64_t kMostMilliCpu = 100'000'000;
constexpr int64_t kMostMiB = 1'000'000'000;

// Names that were read already, and where.
class Names {
 public:
  std::string Read(CsvRecordReader& record, size_t column) {
    std::string name = record.NonEmptyText(column);
    const auto [first, is_new] = lines_.try_emplace(name, record.line(column));
    if (!is_new) {
      record.Reject(column, fmt::format("unique, but line {} has it too", first->second));
    }
    return name;
  }

 private:
  absl::flat_hash_map<std::string, size_t> lines_;
};

class NodeReader {
 public:
  using Row = NodeSpec;

  Status FindColumns(const CsvTable& table) {
    const auto columns = CsvColumns(table, {"sn", "cpu_milli", "memory_mib", "gpu", "model"});
    if (!columns.ok()) return columns.status();
    name_ = (*columns)[0];
    cpu_ = (*columns)[1];
    memory_ = (*columns)[2];
    gpus_ = (*columns)[3];
    model_ = (*columns)[4];
    return absl::OkStatus();
  }

  NodeSpec Read(CsvRecordReader& record) {
    NodeSpec node{.name = NodeName(names_.Read(record, name_)),
                  .cpu = MilliCpu(record.Integer(cpu_, 0, kMostMilliCpu)),
                  .memory = MiB(record.Integer(memory_, 0, kMostMiB)),
                  .gpus = static_cast<int>(record.Integer(gpus_, 0, kMaxGpusPerNode))};
    if (node.gpus == 0) {
      if (!record.Text(model_).empty()) record.Reject(model_, "empty without GPUs");
      return node;
    }
    node.model = GpuModel(record.NonEmptyText(model_));
    node.accounting = GpuAccounting::kManaged;
    return node;
  }

 private:
  size_t name_ = 0, cpu_ = 0, memory_ = 0, gpus_ = 0, model_ = 0;
  Names names_;
};

// The models that the bars in the text separate.
std::vector<std::string> SplitAtBars(const std::string& text) {
  std::vector<std::string> models;
  std::istringstream alternatives(text);
  for (std::string model; std::getline(alternatives, model, '|');) models.push_back(model);
  if (text.ends_with('|')) models.emplace_back();
  return models;
}

class PodReader {
 public:
  using Row = TracePod;

  explicit PodReader(std::span<const NodeSpec> nodes) {
    for (const NodeSpec& node : nodes) {
      if (node.gpus > 0) models_.insert(node.model);
    }
  }

  Status FindColumns(const CsvTable& table) {
    const auto columns =
        CsvColumns(table, {"name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli"});
    if (!columns.ok()) return columns.status();
    name_ = (*columns)[0];
    cpu_ = (*columns)[1];
    memory_ = (*columns)[2];
    gpus_ = (*columns)[3];
    share_ = (*columns)[4];
    if (const Result<size_t> accepted = CsvColumn(table, "gpu_spec"); accepted.ok()) {
      accepted_ = *accepted;
    }
    return absl::OkStatus();
  }

  TracePod Read(CsvRecordReader& record) {
    std::string name = names_.Read(record, name_);
    return {.name = std::move(name), .demand = ReadDemand(record)};
  }

 private:
  Demand ReadDemand(CsvRecordReader& record) const {
    Demand demand{.cpu = MilliCpu(record.Integer(cpu_, 0, kMostMilliCpu)),
                  .memory = MiB(record.Integer(memory_, 0, kMostMiB)),
                  .gpus = static_cast<int>(record.Integer(gpus_, 0, kMaxGpusPerNode))};
    const int64_t least = demand.gpus == 0 ? 0 : demand.gpus == 1 ? 1 : kWholeGpu.value();
    const int64_t share = record.Integer(share_, least, kWholeGpu.value());
    if (demand.gpus == 0) return demand;
    demand.per_gpu = MilliGpu(share);
    demand.accounting = GpuAccounting::kManaged;
    if (accepted_) demand.models = ReadModels(record);
    return demand;
  }

  AllowedModels ReadModels(CsvRecordReader& record) const {
    std::vector<std::string> alternatives = SplitAtBars(record.Text(*accepted_));
    if (std::ranges::find(alternatives, "") != alternatives.end()) {
      record.Reject(*accepted_, "models such as \"T4|P100\", or empty");
    }
    AllowedModels accepted(std::move(alternatives));
    const auto is_accepted = [&](const GpuModel& model) { return accepted.Allows(model); };
    if (!accepted.AllowsAny() && std::ranges::none_of(models_, is_accepted)) {
      record.Reject(*accepted_, fmt::format("empty, or have one of the nodes' models: {}",
                                            fmt::join(ModelNames(), ", ")));
    }
    return accepted;
  }

  std::vector<std::string> ModelNames() const {
    std::vector<std::string> names;
    for (const GpuModel& model : models_) names.push_back(model.value());
    return names;
  }

  size_t name_ = 0, cpu_ = 0, memory_ = 0, gpus_ = 0, share_ = 0;
  std::optional<size_t> accepted_;
  Names names_;
  std::set<GpuModel> models_;  // of the nodes
};

// What the reader makes of each record.
template <class Reader>
Result<std::vector<typename Reader::Row>> ReadAll(const Result<CsvTable>& table, Reader reader,
                                                  std::vector<Status>* skipped) {
  if (!table.ok()) return table.status();
  if (Status found = reader.FindColumns(*table); !found.ok()) return found;
  std::vector<typename Reader::Row> rows;
  for (const std::vector<CsvField>& fields : table->records) {
    CsvRecordReader record(*table, fields);
    typename Reader::Row row;
    if (record.status().ok()) row = reader.Read(record);
    if (record.status().ok()) {
      rows.push_back(std::move(row));
    } else if (skipped == nullptr) {
      return record.status();
    } else {
      skipped->push_back(record.status());
    }
  }
  return rows;
}

}  // namespace

Result<std::vector<NodeSpec>> ParseOpenbNodes(std::string_view text, std::string_view file,
                                              std::vector<Status>* skipped) {
  return ReadAll(ParseCsv(text, file), NodeReader(), skipped);
}

Result<std::vector<NodeSpec>> ReadOpenbNodes(const std::filesystem::path& path,
                                             std::vector<Status>* skipped) {
  return ReadAll(ReadCsv(path), NodeReader(), skipped);
}

Result<std::vector<TracePod>> ParseOpenbPods(std::string_view text, std::string_view file,
                                             std::span<const NodeSpec> nodes,
                                             std::vector<Status>* skipped) {
  return ReadAll(ParseCsv(text, file), PodReader(nodes), skipped);
}

Result<std::vector<TracePod>> ReadOpenbPods(const std::filesystem::path& path,
                                            std::span<const NodeSpec> nodes,
                                            std::vector<Status>* skipped) {
  return ReadAll(ReadCsv(path), PodReader(nodes), skipped);
}

WorkloadProfilePtr ProfileOf(const std::vector<TracePod>& pods, std::string version) {
  std::vector<ClassCount> classes;
  classes.reserve(pods.size());
  for (const TracePod& pod : pods) classes.push_back({ClassOf(pod.demand), 1});
  return std::make_shared<const WorkloadProfile>(std::move(version), classes);
}

}  // namespace berth
