// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "unknot/cli/studies/sweep_table.hpp"
#include "unknot/support/error.hpp"

#ifdef UNKNOT_WITH_SQLITE

#include <sqlite3.h>

#include <memory>

namespace unknot::cli {
namespace {

struct Close {
  void operator()(sqlite3* database) const { sqlite3_close(database); }
  void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
  void operator()(unsigned char* bytes) const { sqlite3_free(bytes); }
};
template <class T>
using Owned = std::unique_ptr<T, Close>;

/// Everything happens in memory: what goes wrong is for want of it, or a mistake of ours.
void require(bool done, sqlite3* database) {
  if (!done) throw InputError(fmt::format("table.sqlite: cannot make it: {}", sqlite3_errmsg(database)));
}

void execute(sqlite3* database, const std::string& statement) {
  require(sqlite3_exec(database, statement.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK, database);
}

/// No name of a column has a quote in it.
std::string declaration(const SweepTable& table) {
  std::string text;
  for (const SweepTable::Column& column : table.columns) {
    text += text.empty() ? fmt::format("CREATE TABLE rows (\"{}\" TEXT PRIMARY KEY NOT NULL", column.name)
                         : fmt::format(", \"{}\"", column.name);
  }
  return text + ") WITHOUT ROWID";
}

void bind(sqlite3* database, sqlite3_stmt* statement, int at, const Json& value) {
  int result = SQLITE_OK;
  if (value.is_null()) {
    result = sqlite3_bind_null(statement, at);
  } else if (value.is_boolean()) {
    result = sqlite3_bind_int(statement, at, value.get<bool>() ? 1 : 0);
  } else if (value.is_number_integer()) {
    result = sqlite3_bind_int64(statement, at, value.get<sqlite3_int64>());
  } else if (value.is_number()) {
    result = sqlite3_bind_double(statement, at, value.get<double>());
  } else {
    const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
    result = sqlite3_bind_text64(statement, at, text.data(), text.size(), SQLITE_TRANSIENT, SQLITE_UTF8);
  }
  require(result == SQLITE_OK, database);
}

}  // namespace

bool sweep_database_available() {
  return true;
}

std::string sweep_database(const SweepTable& table) {
  sqlite3* opened = nullptr;
  const int result = sqlite3_open(":memory:", &opened);
  const Owned<sqlite3> database(opened);
  require(result == SQLITE_OK, opened);
  execute(opened, declaration(table));
  execute(opened, "BEGIN");
  std::string places = "?";
  for (std::size_t i = 1; i < table.columns.size(); ++i) places += ",?";
  const std::string insert = fmt::format("INSERT INTO rows VALUES ({})", places);
  sqlite3_stmt* prepared = nullptr;
  require(sqlite3_prepare_v2(opened, insert.c_str(), -1, &prepared, nullptr) == SQLITE_OK, opened);
  const Owned<sqlite3_stmt> statement(prepared);
  for (const std::vector<Json>& row : table.rows) {
    for (std::size_t i = 0; i < row.size(); ++i) bind(opened, prepared, static_cast<int>(i) + 1, row[i]);
    require(sqlite3_step(prepared) == SQLITE_DONE, opened);
    sqlite3_reset(prepared);
  }
  execute(opened, "COMMIT");
  sqlite3_int64 size = 0;
  const Owned<unsigned char> bytes(sqlite3_serialize(opened, "main", &size, 0));
  require(bytes != nullptr, opened);
  return {reinterpret_cast<const char*>(bytes.get()), static_cast<std::size_t>(size)};
}

}  // namespace unknot::cli

#else

namespace unknot::cli {

bool sweep_database_available() {
  return false;
}

std::string sweep_database(const SweepTable& /*table*/) {
  throw InputError("this program is built without SQLite");
}

}  // namespace unknot::cli

#endif
