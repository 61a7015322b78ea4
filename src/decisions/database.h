#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "berth/result.h"

struct sqlite3;
struct sqlite3_stmt;

namespace berth {

// SQLite as far as it is needed here. Used by one thread at a time. Everything blocks: on the disk,
// and for up to five seconds on another process that writes the same file.
//
// Errors name the file. DATA_LOSS: the file is damaged or is no database; UNAVAILABLE: everything
// else, such as a full disk.

// A prepared statement. Lives no longer than its database.
class Statement {
 public:
  // Begins anew with these values for ?1, ?2 ... (int64_t or text) and goes to the first row.
  // True: there is one.
  template <class... Values>
  Result<bool> Start(const Values&... values) {
    Reset();
    int place = 0;
    (Bind(++place, values), ...);
    return Next();
  }

  // To the next row. False: there is none.
  Result<bool> Next();

  // Of the row, by position from 0.
  int64_t Integer(int column) const;
  std::string Text(int column) const;

  // Ends the reading of rows, which holds the log of the database back from being folded in.
  void Reset();

 private:
  friend class Database;
  struct Finalize {
    void operator()(sqlite3_stmt* statement) const;
  };

  explicit Statement(sqlite3_stmt* statement) : statement_(statement) {}
  void Bind(int place, int64_t value);
  void Bind(int place, std::string_view text);

  std::unique_ptr<sqlite3_stmt, Finalize> statement_;
};

class Database {
 public:
  enum class Access { kRead, kWrite };

  // kWrite creates the file where there is none.
  static Result<Database> Open(const std::string& file, Access access);

  // One or several statements without values; rows are passed over.
  Status Run(const std::string& sql);

  Result<Statement> Prepare(std::string_view sql);

  // The integer that a statement gives, such as PRAGMA user_version.
  Result<int64_t> Integer(std::string_view sql);

  // Rows that the last INSERT, UPDATE or DELETE changed.
  int64_t Changes() const;

 private:
  struct Close {
    void operator()(sqlite3* database) const;
  };

  explicit Database(sqlite3* database) : database_(database) {}

  std::unique_ptr<sqlite3, Close> database_;
};

}  // namespace berth
