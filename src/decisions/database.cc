#include "decisions/database.h"

#include <sqlite3.h>

namespace berth {
namespace {

constexpr int kBusyMilliseconds = 5'000;

Status LastError(sqlite3* database) {
  const std::string file = sqlite3_db_filename(database, nullptr);
  const std::string message = sqlite3_errmsg(database);
  const int code = sqlite3_errcode(database) & 0xff;
  if (code != SQLITE_CORRUPT && code != SQLITE_NOTADB) {
    return absl::UnavailableError(file + ": " + message);
  }
  return absl::DataLossError(file + ": is damaged, or no SQLite database (" + message + ")");
}

}  // namespace

void Statement::Finalize::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }

Result<bool> Statement::Next() {
  const int code = sqlite3_step(statement_.get());
  if (code == SQLITE_ROW) return true;
  if (code == SQLITE_DONE) return false;
  const Status error = LastError(sqlite3_db_handle(statement_.get()));
  Reset();
  return error;
}

int64_t Statement::Integer(int column) const {
  return sqlite3_column_int64(statement_.get(), column);
}

std::string Statement::Text(int column) const {
  const auto* bytes =
      static_cast<const char*>(sqlite3_column_blob(statement_.get(), column));  // NULL when empty
  const auto size = static_cast<size_t>(sqlite3_column_bytes(statement_.get(), column));
  return bytes == nullptr ? std::string() : std::string(bytes, size);
}

void Statement::Reset() { sqlite3_reset(statement_.get()); }

void Statement::Bind(int place, int64_t value) {
  sqlite3_bind_int64(statement_.get(), place, value);
}

void Statement::Bind(int place, std::string_view text) {
  sqlite3_bind_text64(statement_.get(), place, text.data(), text.size(), SQLITE_TRANSIENT,
                      SQLITE_UTF8);
}

void Database::Close::operator()(sqlite3* database) const { sqlite3_close_v2(database); }

Result<Database> Database::Open(const std::string& file, Access access) {
  sqlite3* handle = nullptr;
  const int access_flags =
      access == Access::kRead ? SQLITE_OPEN_READONLY : SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;
  const int code =
      sqlite3_open_v2(file.c_str(), &handle, access_flags | SQLITE_OPEN_NOMUTEX, nullptr);
  Database database(handle);
  if (code != SQLITE_OK) {
    return absl::UnavailableError(file + ": " + sqlite3_errstr(code));
  }
  sqlite3_busy_timeout(handle, kBusyMilliseconds);
  return database;
}

Status Database::Run(const std::string& sql) {
  if (sqlite3_exec(database_.get(), sql.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK) return {};
  return LastError(database_.get());
}

Result<Statement> Database::Prepare(std::string_view sql) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(database_.get(), sql.data(), static_cast<int>(sql.size()),
                                      &statement, nullptr);
  if (code != SQLITE_OK) return LastError(database_.get());
  return Statement(statement);
}

Result<int64_t> Database::Integer(std::string_view sql) {
  Result<Statement> statement = Prepare(sql);
  if (!statement.ok()) return statement.status();
  const Result<bool> row = statement->Start();
  if (!row.ok()) return row.status();
  return *row ? statement->Integer(0) : 0;
}

int64_t Database::Changes() const { return sqlite3_changes64(database_.get()); }

}  // namespace berth
