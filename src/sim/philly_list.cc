#include "sim/philly_list.h"

#include <fmt/format.h>

#include <algorithm>

#include "sim/csv_rows.h"
#include "sim/csv_time.h"

namespace berth {
namespace {

constexpr int64_t kMostGpusOfAJob = 10'000;

class PhillyReader {
 public:
  using Row = TraceJob;

  explicit PhillyReader(std::span<const NodeSpec> nodes) {
    for (const NodeSpec& node : nodes) gpus_of_a_pod_ = std::max(gpus_of_a_pod_, node.gpus);
  }

  Status FindColumns(const CsvTable& table) {
    const auto columns = CsvColumns(table, {"timestamp", "duration", "num_gpus", "cluster"});
    if (!columns.ok()) return columns.status();
    timestamp_ = (*columns)[0];
    duration_ = (*columns)[1];
    gpus_ = (*columns)[2];
    cluster_ = (*columns)[3];
    return absl::OkStatus();
  }

  TraceJob Read(CsvRecordReader& record) {
    TraceJob job{.pod = {.name = fmt::format("line-{}", record.line(timestamp_))},
                 .submitted = moments_.Read(record, timestamp_),
                 .runs = ReadDuration(record, duration_),
                 .queue = record.NonEmptyText(cluster_)};
    const auto gpus = static_cast<int>(record.Integer(gpus_, 1, kMostGpusOfAJob));
    job.pods = PodsFor(gpus);
    job.pod.demand = {.gpus = gpus / static_cast<int>(job.pods),
                      .per_gpu = kWholeGpu,
                      .accounting = GpuAccounting::kManaged};
    return job;
  }

 private:
  // As few as possible, all equal.
  uint32_t PodsFor(int gpus) const {
    int pods = (gpus + gpus_of_a_pod_ - 1) / gpus_of_a_pod_;
    while (gpus % pods != 0) ++pods;
    return static_cast<uint32_t>(pods);
  }

  int gpus_of_a_pod_ = 1;  // the most that a node has
  Moments moments_;
  size_t timestamp_ = 0, duration_ = 0, gpus_ = 0, cluster_ = 0;
};

}  // namespace

Result<std::vector<TraceJob>> ParsePhillyList(std::string_view text, std::string_view file,
                                              std::span<const NodeSpec> nodes,
                                              std::vector<Status>* skipped) {
  return ReadRows(ParseCsv(text, file), PhillyReader(nodes), skipped);
}

Result<std::vector<TraceJob>> ReadPhillyList(const std::filesystem::path& path,
                                             std::span<const NodeSpec> nodes,
                                             std::vector<Status>* skipped) {
  return ReadRows(ReadCsv(path), PhillyReader(nodes), skipped);
}

}  // namespace berth
