#include "sim/csv.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <charconv>
#include <utility>

#include "base/bounded_file.h"
#include "base/log.h"

namespace berth {
namespace {

constexpr size_t kMaxCsvBytes = size_t{256} << 20;
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

bool LooksLikeUtf16(std::string_view text) {
  return text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF");
}

// The number that the text is, from its first character to its last.
template <class Number>
std::optional<Number> NumberIn(std::string_view text) {
  Number number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

// Takes a CSV file apart, from front to back.
class Parser {
 public:
  Parser(std::string_view text, std::string_view file) : text_(text), file_(file) {}

  Result<CsvTable> Table() {
    CsvTable table{.file = file_};
    while (!AtEnd()) {
      if (SkipLineEnd()) continue;  // a blank line
      Result<std::vector<CsvField>> record = Record();
      if (!record.ok()) return record.status();
      if (!table.header.empty()) {
        table.records.push_back(*std::move(record));
        continue;
      }
      table.header = *std::move(record);
      if (Status sound = CheckHeader(table.header); !sound.ok()) return sound;
    }
    if (table.header.empty()) {
      return absl::InvalidArgumentError(file_ +
                                        ":1:1: the file is empty; it should start with a "
                                        "line that names its columns");
    }
    return table;
  }

 private:
  bool AtEnd() const { return at_ == text_.size(); }
  char Next() const { return text_[at_]; }
  size_t Column() const { return at_ - line_start_ + 1; }

  Status Wrong(size_t line, size_t column, std::string_view what) const {
    return absl::InvalidArgumentError(fmt::format("{}:{}:{}: {}", file_, line, column, what));
  }

  bool SkipLineEnd() {
    const std::string_view rest = text_.substr(at_);
    const size_t length = rest.starts_with("\r\n") ? 2 : rest.starts_with("\n") ? 1 : 0;
    if (length == 0) return false;
    at_ += length;
    ++line_;
    line_start_ = at_;
    return true;
  }

  Result<std::vector<CsvField>> Record() {
    std::vector<CsvField> fields;
    while (true) {
      CsvField field{.line = line_, .column = Column()};
      const Status read = !AtEnd() && Next() == '"' ? Quoted(field) : Unquoted(field);
      if (!read.ok()) return read;
      fields.push_back(std::move(field));
      if (AtEnd() || SkipLineEnd()) return fields;
      ++at_;  // the comma
    }
  }

  bool AtFieldEnd() const {
    const std::string_view rest = text_.substr(at_);
    return rest.empty() || rest[0] == ',' || rest[0] == '\n' || rest.starts_with("\r\n");
  }

  Status Unquoted(CsvField& field) {
    const size_t begin = at_;
    for (; !AtFieldEnd(); ++at_) {
      if (Next() == '"') {
        return Wrong(line_, Column(), "a quote inside a value; the whole value should be quoted");
      }
      if (Next() == '\0' || Next() == '\r') {
        return Wrong(line_, Column(), "a character that no text has; is this a CSV file?");
      }
    }
    field.text = text_.substr(begin, at_ - begin);
    return absl::OkStatus();
  }

  Status Quoted(CsvField& field) {
    for (++at_; !AtEnd(); ++at_) {
      if (Next() == '"') {
        ++at_;
        if (AtFieldEnd()) return absl::OkStatus();
        if (Next() != '"') {
          return Wrong(line_, Column(),
                       "after the closing quote there should be a comma or the "
                       "line's end");
        }
      } else if (Next() == '\n') {
        ++line_;
        line_start_ = at_ + 1;
      }
      field.text += Next();
    }
    return Wrong(field.line, field.column,
                 "the quote that opens here is never closed; is the file "
                 "cut off?");
  }

  Status CheckHeader(const std::vector<CsvField>& header) const {
    for (auto field = header.begin(); field != header.end(); ++field) {
      const auto same = [&](const CsvField& other) { return other.text == field->text; };
      if (std::none_of(header.begin(), field, same)) continue;
      return Wrong(field->line, field->column,
                   fmt::format("the column {} is there twice", berth::Quoted(field->text)));
    }
    return absl::OkStatus();
  }

  const std::string_view text_;
  const std::string file_;
  size_t at_ = 0;
  size_t line_ = 1;
  size_t line_start_ = 0;
};

}  // namespace

Result<CsvTable> ParseCsv(std::string_view text, std::string_view file) {
  if (LooksLikeUtf16(text)) {
    return absl::InvalidArgumentError(
        fmt::format("{}:1:1: the file is UTF-16; it should be saved as UTF-8", file));
  }
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  return Parser(text, file).Table();
}

Result<CsvTable> ReadCsv(const std::filesystem::path& path) {
  const Result<std::string> text = ReadBounded(path, kMaxCsvBytes);
  if (!text.ok()) return text.status();
  return ParseCsv(*text, path.string());
}

std::optional<size_t> ColumnIfThere(const CsvTable& table, std::string_view name) {
  const auto column = std::ranges::find(table.header, name, &CsvField::text);
  if (column == table.header.end()) return std::nullopt;
  return static_cast<size_t>(column - table.header.begin());
}

Result<size_t> CsvColumn(const CsvTable& table, std::string_view name) {
  if (const auto column = ColumnIfThere(table, name)) return *column;
  std::vector<std::string> names;
  for (const CsvField& field : table.header) names.push_back(Quoted(field.text));
  return absl::InvalidArgumentError(fmt::format("{}:{}:1: there is no column \"{}\"; there are {}",
                                                table.file, table.header[0].line, name,
                                                fmt::join(names, ", ")));
}

Result<std::vector<size_t>> CsvColumns(const CsvTable& table,
                                       std::initializer_list<std::string_view> names) {
  std::vector<size_t> columns;
  for (const std::string_view name : names) {
    const Result<size_t> column = CsvColumn(table, name);
    if (!column.ok()) return column.status();
    columns.push_back(*column);
  }
  return columns;
}

CsvRecordReader::CsvRecordReader(const CsvTable& table, const std::vector<CsvField>& record)
    : table_(table), record_(record) {
  if (record.size() == table.header.size()) return;
  status_ = absl::InvalidArgumentError(fmt::format(
      "{}:{}:{}: the line has {} values, the header {}; is the file cut off?", table.file,
      record.back().line, record.back().column, record.size(), table.header.size()));
}

int64_t CsvRecordReader::Integer(size_t column, int64_t least, int64_t most) {
  const std::optional<int64_t> value = NumberIn<int64_t>(record_[column].text);
  if (value && *value >= least && *value <= most) return *value;
  Reject(column, least == most ? fmt::format("{}", least)
                               : fmt::format("a whole number from {} to {}", least, most));
  return least;
}

double CsvRecordReader::Decimal(size_t column, double least, double most) {
  const std::optional<double> value = NumberIn<double>(record_[column].text);
  if (value && *value >= least && *value <= most) return *value;
  Reject(column, fmt::format("a number from {} to {}", least, most));
  return least;
}

std::string CsvRecordReader::NonEmptyText(size_t column) {
  if (record_[column].text.empty()) Reject(column, "there");
  return record_[column].text;
}

void CsvRecordReader::Reject(size_t column, std::string_view what_would_be_right) {
  if (!status_.ok()) return;
  const CsvField& field = record_[column];
  const std::string value = field.text.empty() ? "empty" : Quoted(field.text);
  status_ = absl::InvalidArgumentError(
      fmt::format("{}:{}:{}: {} is {}; it should be {}", table_.file, field.line, field.column,
                  table_.header[column].text, value, what_would_be_right));
}

}  // namespace berth
