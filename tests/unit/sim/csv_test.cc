#include "sim/csv.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/temp_directory.h"

namespace berth {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

using Texts = std::vector<std::vector<std::string>>;

Texts TextsOf(const CsvTable& table) {
  Texts texts;
  for (const std::vector<CsvField>& record : table.records) {
    texts.emplace_back();
    for (const CsvField& field : record) texts.back().push_back(field.text);
  }
  return texts;
}

TEST(ParseCsv, ReadsWhatPeopleSave) {
  const Texts two = {{"x, \"y\"", "1"}, {"z", ""}};
  const std::pair<const char*, std::string> table[] = {
      {"plain", "a,b\n\"x, \"\"y\"\"\",1\nz,\n"},
      {"a byte order mark",
       "\xEF\xBB\xBF"
       "a,b\n\"x, \"\"y\"\"\",1\nz,\n"},
      {"the same before a quote", "\xEF\xBB\xBF\"a\",\"b\"\n\"x, \"\"y\"\"\",1\nz,\n"},
      {"CRLF", "a,b\r\n\"x, \"\"y\"\"\",1\r\nz,\r\n"},
      {"no end of the last line", "a,b\n\"x, \"\"y\"\"\",1\nz,"},
      {"blank lines", "\n\na,b\n\r\n\"x, \"\"y\"\"\",1\n\nz,\n\n\n"},
      {"an empty value in quotes", "a,b\n\"x, \"\"y\"\"\",\"1\"\nz,\"\"\n"},
  };
  for (const auto& [what, text] : table) {
    const Result<CsvTable> read = ParseCsv(text, "t.csv");
    ASSERT_TRUE(read.ok()) << what << ": " << read.status();
    EXPECT_EQ(read->header.size(), 2) << what;
    EXPECT_EQ(read->header[0].text, "a") << what;
    EXPECT_EQ(read->header[1].text, "b") << what;
    EXPECT_EQ(TextsOf(*read), two) << what;
  }
}

TEST(ParseCsv, KeepsLineBreaksInQuotes) {
  const Result<CsvTable> read = ParseCsv("a\n\"x\ny\"\n\"x\r\ny\"\n", "t.csv");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_EQ(TextsOf(*read), (Texts{{"x\ny"}, {"x\r\ny"}}));
}

TEST(ParseCsv, TakesAHeaderAloneForNoRecords) {
  const Result<CsvTable> read = ParseCsv("a,b\n", "t.csv");
  ASSERT_TRUE(read.ok()) << read.status();
  EXPECT_THAT(read->records, IsEmpty());
}

TEST(ParseCsv, KnowsWhereEachValueStarts) {
  const Result<CsvTable> read = ParseCsv("a,bb\n\n\"x\ny\",5\nz,6\n", "t.csv");
  ASSERT_TRUE(read.ok()) << read.status();
  const auto at = [](const CsvField& field) { return std::pair(field.line, field.column); };
  EXPECT_EQ(at(read->header[1]), std::pair(size_t{1}, size_t{3}));
  EXPECT_EQ(at(read->records[0][0]), std::pair(size_t{3}, size_t{1}));
  EXPECT_EQ(at(read->records[0][1]), std::pair(size_t{4}, size_t{4}));
  EXPECT_EQ(at(read->records[1][1]), std::pair(size_t{5}, size_t{3}));
}

TEST(ParseCsv, SaysWhereItIsWrongAndWhatWouldBeRight) {
  const std::pair<std::string, const char*> table[] = {
      {"", "t.csv:1:1: the file is empty; it should start with a line that names its columns"},
      {"\n\n", "t.csv:1:1: the file is empty"},
      {"\xEF\xBB\xBF", "t.csv:1:1: the file is empty"},
      {std::string("\xFF\xFE"
                   "a\0",
                   4),
       "t.csv:1:1: the file is UTF-16; it should be saved as UTF-8"},
      {"a,b\n1,\"2\n3,4\n", "t.csv:2:3: the quote that opens here is never closed"},
      {"a,b\n1,\"2\"3\n", "t.csv:2:6: after the closing quote there should be a comma"},
      {"a,b\n1,2\"3\"\n", "t.csv:2:4: a quote inside a value; the whole value should be quoted"},
      {"a,b,a\n1,2,3\n", "t.csv:1:5: the column \"a\" is there twice"},
      {std::string("a,b\n1,\0\n", 8), "t.csv:2:3: a character that no text has"},
      {"a,b\r1,2\r", "t.csv:1:4: a character that no text has"},
  };
  for (const auto& [text, message] : table) {
    const Status status = ParseCsv(text, "t.csv").status();
    EXPECT_EQ(status.code(), absl::StatusCode::kInvalidArgument) << text;
    EXPECT_THAT(std::string(status.message()), HasSubstr(message)) << text;
  }
}

TEST(ReadCsv, NamesTheFile) {
  const TempDirectory directory;
  const std::string path = directory.Write("pods.csv", "a\n\"");
  EXPECT_THAT(std::string(ReadCsv(path).status().message()), HasSubstr("pods.csv:2:1: the quote"));
  const Status missing = ReadCsv(directory.path() / "none.csv").status();
  EXPECT_EQ(missing.code(), absl::StatusCode::kNotFound);
  EXPECT_THAT(std::string(missing.message()), HasSubstr("none.csv"));
}

TEST(CsvColumns, ListsTheColumnsWhenOneIsMissing) {
  const CsvTable table = ParseCsv("a,\"b \",c\n", "t.csv").value();
  EXPECT_THAT(CsvColumns(table, {"c", "a"}).value(), ElementsAre(2, 0));
  EXPECT_THAT(std::string(CsvColumns(table, {"c", "b"}).status().message()),
              HasSubstr("t.csv:1:1: there is no column \"b\"; there are \"a\", \"b \", \"c\""));
}

// The status after a value is read as a whole number from 1 to 9.
std::string OneToNine(const std::string& value) {
  const CsvTable table = ParseCsv("name,n\nx," + value + "\n", "t.csv").value();
  CsvRecordReader record(table, table.records[0]);
  const int64_t read = record.Integer(1, 1, 9);
  if (!record.status().ok()) return std::string(record.status().message());
  return "read " + std::to_string(read);
}

TEST(CsvRecordReader, ReadsWholeNumbers) {
  EXPECT_EQ(OneToNine("1"), "read 1");
  EXPECT_EQ(OneToNine("9"), "read 9");
  EXPECT_EQ(OneToNine("\"9\""), "read 9");
  EXPECT_EQ(OneToNine("09"), "read 9");
  for (const char* wrong : {"0", "10", "-1", "+1", " 1", "1 ", "1.0", "1e0", "0x1", "one", "1_0",
                            "99999999999999999999", "NaN"}) {
    EXPECT_EQ(OneToNine(wrong), "t.csv:2:3: n is \"" + std::string(wrong) +
                                    "\"; it should be a whole number from 1 to 9");
  }
  EXPECT_EQ(OneToNine(""), "t.csv:2:3: n is empty; it should be a whole number from 1 to 9");
}

TEST(CsvRecordReader, KeepsTheFirstThingThatIsWrong) {
  const CsvTable table = ParseCsv("a,b\n,x\n", "t.csv").value();
  CsvRecordReader record(table, table.records[0]);
  record.NonEmptyText(0);
  record.Integer(1, 0, 1);
  EXPECT_EQ(record.status().message(), "t.csv:2:1: a is empty; it should be there");
}

TEST(CsvRecordReader, RefusesARecordOfAnotherWidth) {
  const CsvTable table = ParseCsv("a,b\n1\n1,2,3\n", "t.csv").value();
  EXPECT_EQ(CsvRecordReader(table, table.records[0]).status().message(),
            "t.csv:2:1: the line has 1 values, the header 2; is the file cut off?");
  EXPECT_THAT(std::string(CsvRecordReader(table, table.records[1]).status().message()),
              HasSubstr("t.csv:3:5: the line has 3 values"));
}

}  // namespace
}  // namespace berth
