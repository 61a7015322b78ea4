#include "sim/job_list.h"

#include <optional>

#include "sim/csv_demand.h"
#include "sim/csv_rows.h"
#include "sim/csv_time.h"

namespace berth {
namespace {

constexpr int64_t kHighestPriority = 2'000'000'000;  // as in Kubernetes
constexpr int64_t kLargestGang = 10'000;

class JobReader {
 public:
  using Row = TraceJob;

  explicit JobReader(std::span<const NodeSpec> nodes) : demands_(nodes) {}

  Status FindColumns(const CsvTable& table) {
    const auto required = CsvColumns(table, {"job", "submit", "duration", "gpus"});
    if (!required.ok()) return required.status();
    job_ = (*required)[0];
    submit_ = (*required)[1];
    duration_ = (*required)[2];
    demand_ = {.gpus = (*required)[3],
               .gpu_milli = ColumnIfThere(table, "gpu_milli"),
               .cpu_milli = ColumnIfThere(table, "cpu_milli"),
               .memory_mib = ColumnIfThere(table, "memory_mib"),
               .models = ColumnIfThere(table, "models")};
    priority_ = ColumnIfThere(table, "priority");
    queue_ = ColumnIfThere(table, "queue");
    gang_ = ColumnIfThere(table, "gang");
    return absl::OkStatus();
  }

  TraceJob Read(CsvRecordReader& record) {
    TraceJob job{.pod = {.name = names_.Read(record, job_)},
                 .submitted = moments_.Read(record, submit_),
                 .runs = ReadDuration(record, duration_)};
    job.pod.demand = demands_.Read(record, demand_);
    if (priority_) job.priority = record.Integer(*priority_, -kHighestPriority, kHighestPriority);
    if (queue_) job.queue = record.Text(*queue_);
    if (gang_) job.pods = static_cast<uint32_t>(record.Integer(*gang_, 1, kLargestGang));
    return job;
  }

 private:
  const DemandReader demands_;
  UniqueNames names_;
  Moments moments_;
  size_t job_ = 0, submit_ = 0, duration_ = 0;
  DemandColumns demand_;
  std::optional<size_t> priority_, queue_, gang_;
};

}  // namespace

Result<std::vector<TraceJob>> ParseJobList(std::string_view text, std::string_view file,
                                           std::span<const NodeSpec> nodes,
                                           std::vector<Status>* skipped) {
  return ReadRows(ParseCsv(text, file), JobReader(nodes), skipped);
}

Result<std::vector<TraceJob>> ReadJobList(const std::filesystem::path& path,
                                          std::span<const NodeSpec> nodes,
                                          std::vector<Status>* skipped) {
  return ReadRows(ReadCsv(path), JobReader(nodes), skipped);
}

}  // namespace berth
