// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "unknot/cli/output/output.hpp"
#include "unknot/cli/studies/sweep_commands.hpp"
#include "unknot/sweep/journal.hpp"
#include "unknot/sweep/plan.hpp"

namespace unknot::cli {

/// The finished cells of a sweep, in the order of the plan whoever ran them.
struct SweepTable {
  struct Column {
    std::string name;
    bool shown = false;  ///< to people
  };
  std::vector<Column> columns;          ///< cell, the options, exit, error, the measures
  std::vector<std::vector<Json>> rows;  ///< as many values as columns; null where there is none
  std::size_t cells = 0;                ///< of the plan
  std::size_t refused = 0;              ///< rows of bad input

  [[nodiscard]] std::size_t missing() const { return cells - rows.size(); }
};

SweepTable make_sweep_table(const sweep::Plan& plan, const SweepCommand& command,
                            const sweep::Journal& journal);

/// RFC 4180, a line of column names first.
std::string sweep_csv(const SweepTable& table);
/// Each row with its values by name, without those that are null.
Json sweep_rows(const SweepTable& table);
std::string sweep_text(const SweepTable& table);

/// Whether this program can write databases.
bool sweep_database_available();
/// The bytes of an SQLite database with one table, `rows`, its primary key the column `cell`.
std::string sweep_database(const SweepTable& table);

}  // namespace unknot::cli
