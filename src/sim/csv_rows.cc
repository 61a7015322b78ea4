#include "sim/csv_rows.h"

#include <fmt/format.h>

namespace berth {

std::string UniqueNames::Read(CsvRecordReader& record, size_t column) {
  std::string name = record.NonEmptyText(column);
  const auto [first, is_new] = lines_.try_emplace(name, record.line(column));
  if (!is_new) record.Reject(column, fmt::format("unique, but line {} has it too", first->second));
  return name;
}

}  // namespace berth
