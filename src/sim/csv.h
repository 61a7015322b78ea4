#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "berth/result.h"

namespace berth {

// One value of a CSV file and where it starts; lines and columns (in bytes) count from 1.
struct CsvField {
  std::string text;  // without the quotes around it
  size_t line = 0;
  size_t column = 0;
};

struct CsvTable {
  std::string file;  // for messages
  std::vector<CsvField> header;
  std::vector<std::vector<CsvField>> records;  // each has a field; see CsvRecordReader
};

// CSV as in RFC 4180 with a header, UTF-8, as people save it: a byte order mark, CRLF, blank lines
// and a last line without an end are fine. `file` is for messages only.
// Errors: INVALID_ARGUMENT that names file, line and column of what is wrong.
Result<CsvTable> ParseCsv(std::string_view text, std::string_view file);

// The same of a file of at most 256 MiB. Errors: NOT_FOUND when it cannot be read.
Result<CsvTable> ReadCsv(const std::filesystem::path& path);

// Position in the header. Errors: INVALID_ARGUMENT that says which columns there are.
Result<size_t> CsvColumn(const CsvTable& table, std::string_view name);
std::optional<size_t> ColumnIfThere(const CsvTable& table, std::string_view name);
Result<std::vector<size_t>> CsvColumns(const CsvTable& table,
                                       std::initializer_list<std::string_view> names);

// Reads the values of one record. The first thing that is wrong is kept as the status; what is read
// after it means nothing.
class CsvRecordReader {
 public:
  // A record shorter or longer than the header is wrong from the start, and none of its values may
  // be read. Both outlive this.
  CsvRecordReader(const CsvTable& table, const std::vector<CsvField>& record);

  // Numbers in plain digits.
  int64_t Integer(size_t column, int64_t least, int64_t most);
  double Decimal(size_t column, double least, double most);
  std::string NonEmptyText(size_t column);
  const std::string& Text(size_t column) const { return record_[column].text; }
  size_t line(size_t column) const { return record_[column].line; }

  // The value is wrong; `what_would_be_right` completes "it should be ...".
  void Reject(size_t column, std::string_view what_would_be_right);

  const Status& status() const { return status_; }

 private:
  const CsvTable& table_;
  const std::vector<CsvField>& record_;
  Status status_;
};

}  // namespace berth
