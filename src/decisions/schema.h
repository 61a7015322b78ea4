#pragma once

#include <string>

#include "berth/result.h"
#include "decisions/database.h"

namespace berth {

// The tables of a decision log. PRAGMA application_id says that a database is one, PRAGMA
// user_version of which schema.
//
// profiles: each mix of work that a decision was made for, once.
// decisions: one row each, oldest first by id. What record_json.h describes is text.

// Makes the database a decision log where it is empty, and sets it up for writing.
// Errors: as CheckSchema; the database's.
Status PrepareSchema(Database& database, const std::string& file);

// Errors: INVALID_ARGUMENT when it is something else, or of a schema that this program does not
// know; the message says which.
Status CheckSchema(Database& database, const std::string& file);

}  // namespace berth
