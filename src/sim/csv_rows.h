#pragma once

#include <absl/container/flat_hash_map.h>

#include <string>
#include <utility>
#include <vector>

#include "berth/result.h"
#include "sim/csv.h"

namespace berth {

// Names that were read already, and where.
class UniqueNames {
 public:
  std::string Read(CsvRecordReader& record, size_t column);

 private:
  absl::flat_hash_map<std::string, size_t> lines_;
};

// What `reader` makes of each record. Its FindColumns(table) looks for the columns; its
// Read(record) returns a Row, which counts when the record's status is OK after it. The first
// record that is wrong is the error; with `skipped` it is left out and its error goes there.
template <class Reader>
Result<std::vector<typename Reader::Row>> ReadRows(const Result<CsvTable>& table, Reader reader,
                                                   std::vector<Status>* skipped) {
  if (!table.ok()) return table.status();
  if (Status found = reader.FindColumns(*table); !found.ok()) return found;
  std::vector<typename Reader::Row> rows;
  rows.reserve(table->records.size());
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

}  // namespace berth
