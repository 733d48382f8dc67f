// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/cli/output/text_table.hpp"
#include "unknot/cli/planning/design_rows.hpp"

namespace unknot::cli {

/// The rows as a table for people: columns that were asked for.
TextTable design_table(const DesignRows& rows, const DesignOptions& options);
/// The rows as a list of objects, with the same names whatever was asked; null where nothing is known.
Json design_json(const DesignRows& rows, const PriceModel& costs);
/// The same as comma-separated values, a heading and a line for each row.
std::string design_csv(const DesignRows& rows, const PriceModel& costs);

}  // namespace unknot::cli
