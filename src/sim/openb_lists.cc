#include "sim/openb_lists.h"

#include <memory>
#include <utility>

#include "sim/csv_demand.h"
#include "sim/csv_rows.h"
#include "sim/csv_time.h"

namespace berth {
namespace {

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
  UniqueNames names_;
};

class PodReader {
 public:
  using Row = TracePod;

  explicit PodReader(std::span<const NodeSpec> nodes) : demands_(nodes) {}

  Status FindColumns(const CsvTable& table) {
    const auto columns =
        CsvColumns(table, {"name", "cpu_milli", "memory_mib", "num_gpu", "gpu_milli"});
    if (!columns.ok()) return columns.status();
    name_ = (*columns)[0];
    demand_ = {.gpus = (*columns)[3],
               .gpu_milli = (*columns)[4],
               .cpu_milli = (*columns)[1],
               .memory_mib = (*columns)[2],
               .models = ColumnIfThere(table, "gpu_spec")};
    return absl::OkStatus();
  }

  TracePod Read(CsvRecordReader& record) {
    std::string name = names_.Read(record, name_);
    return {.name = std::move(name), .demand = demands_.Read(record, demand_)};
  }

 private:
  const DemandReader demands_;
  UniqueNames names_;
  size_t name_ = 0;
  DemandColumns demand_;
};

// Pods with the time that they were there.
class TimedPodReader {
 public:
  using Row = TraceJob;

  explicit TimedPodReader(std::span<const NodeSpec> nodes) : pods_(nodes) {}

  Status FindColumns(const CsvTable& table) {
    const auto columns = CsvColumns(table, {"creation_time", "deletion_time"});
    if (!columns.ok()) return columns.status();
    created_ = (*columns)[0];
    deleted_ = (*columns)[1];
    return pods_.FindColumns(table);
  }

  TraceJob Read(CsvRecordReader& record) {
    TraceJob job{.pod = pods_.Read(record), .submitted = moments_.Read(record, created_)};
    job.runs = moments_.Read(record, deleted_) - job.submitted;
    if (job.runs < SimTime(0)) record.Reject(deleted_, "at creation_time or after it");
    return job;
  }

 private:
  PodReader pods_;
  Moments moments_;
  size_t created_ = 0, deleted_ = 0;
};

}  // namespace

Result<std::vector<NodeSpec>> ParseOpenbNodes(std::string_view text, std::string_view file,
                                              std::vector<Status>* skipped) {
  return ReadRows(ParseCsv(text, file), NodeReader(), skipped);
}

Result<std::vector<NodeSpec>> ReadOpenbNodes(const std::filesystem::path& path,
                                             std::vector<Status>* skipped) {
  return ReadRows(ReadCsv(path), NodeReader(), skipped);
}

Result<std::vector<TracePod>> ParseOpenbPods(std::string_view text, std::string_view file,
                                             std::span<const NodeSpec> nodes,
                                             std::vector<Status>* skipped) {
  return ReadRows(ParseCsv(text, file), PodReader(nodes), skipped);
}

Result<std::vector<TracePod>> ReadOpenbPods(const std::filesystem::path& path,
                                            std::span<const NodeSpec> nodes,
                                            std::vector<Status>* skipped) {
  return ReadRows(ReadCsv(path), PodReader(nodes), skipped);
}

Result<std::vector<TraceJob>> ParseOpenbJobs(std::string_view text, std::string_view file,
                                             std::span<const NodeSpec> nodes,
                                             std::vector<Status>* skipped) {
  return ReadRows(ParseCsv(text, file), TimedPodReader(nodes), skipped);
}

Result<std::vector<TraceJob>> ReadOpenbJobs(const std::filesystem::path& path,
                                            std::span<const NodeSpec> nodes,
                                            std::vector<Status>* skipped) {
  return ReadRows(ReadCsv(path), TimedPodReader(nodes), skipped);
}

WorkloadProfilePtr ProfileOf(const std::vector<TracePod>& pods, std::string version) {
  std::vector<ClassCount> classes;
  classes.reserve(pods.size());
  for (const TracePod& pod : pods) classes.push_back({ClassOf(pod.demand), 1});
  return std::make_shared<const WorkloadProfile>(std::move(version), classes);
}

}  // namespace berth
