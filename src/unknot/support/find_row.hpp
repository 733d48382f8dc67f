// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "unknot/support/error.hpp"
#include "unknot/support/parameters.hpp"

namespace unknot {

/// Row of a catalogue by its name, or one of its aliases where rows have them. InputError otherwise: "unknown
/// <kind>
/// '<name>'", with the near names or all. O(rows).
template <class Row>
const Row& find_row(const std::vector<Row>& rows, std::string_view kind, std::string_view name) {
  std::vector<std::string> names;
  for (const Row& row : rows) {
    if (row.name == name) return row;
    names.push_back(row.name);
    if constexpr (requires { row.aliases; }) {
      if (std::find(row.aliases.begin(), row.aliases.end(), name) != row.aliases.end()) return row;
      names.insert(names.end(), row.aliases.begin(), row.aliases.end());
    }
  }
  throw InputError("unknown " + std::string(kind) + " '" + std::string(name) + "'; " +
                   near_or_all_names(name, names));
}

}  // namespace unknot
