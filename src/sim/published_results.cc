#include "sim/published_results.h"

#include <fmt/format.h>

#include <limits>
#include <utility>
#include <vector>

#include "sim/csv.h"

namespace berth {
namespace {

// What comes after the last `separator`; everything where there is none.
std::string After(char separator, const std::string& text) {
  return text.substr(text.rfind(separator) + 1);
}

Result<std::vector<size_t>> PointColumns(const CsvTable& table) {
  std::vector<size_t> columns;
  for (size_t point = 0; point < InflationCurve::kPoints; ++point) {
    const Result<size_t> column = CsvColumn(table, fmt::format("{}", point));
    if (!column.ok()) return column.status();
    columns.push_back(*column);
  }
  return columns;
}

}  // namespace

Result<PublishedResults> PublishedResults::Read(const std::filesystem::path& path) {
  const Result<CsvTable> table = ReadCsv(path);
  if (!table.ok()) return table.status();
  const auto key = CsvColumns(*table, {"workload", "sc_policy", "seed"});
  if (!key.ok()) return key.status();
  const Result<std::vector<size_t>> points = PointColumns(*table);
  if (!points.ok()) return points.status();

  PublishedResults results;
  for (const std::vector<CsvField>& fields : table->records) {
    CsvRecordReader record(*table, fields);
    if (!record.status().ok()) return record.status();
    const std::string trace = After('_', record.NonEmptyText((*key)[0]));
    const std::string policy = After('-', record.NonEmptyText((*key)[1]));
    const int64_t seed = record.Integer((*key)[2], 0, std::numeric_limits<int64_t>::max());
    Curve curve;
    for (size_t i = 0; i < curve.size(); ++i) curve[i] = record.Decimal((*points)[i], 0, 100);
    const bool is_new =
        results.runs_.try_emplace({trace, policy, static_cast<uint64_t>(seed)}, curve).second;
    if (!is_new) record.Reject((*key)[2], "the seed of a run that is not there yet");
    if (!record.status().ok()) return record.status();
  }
  return results;
}

const PublishedResults::Curve* PublishedResults::Find(std::string_view trace,
                                                      std::string_view policy,
                                                      uint64_t seed) const {
  const auto found = runs_.find({std::string(trace), std::string(policy), seed});
  return found == runs_.end() ? nullptr : &found->second;
}

}  // namespace berth
