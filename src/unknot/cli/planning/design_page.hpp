// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "unknot/cli/planning/design_rows.hpp"

namespace unknot::cli {

/// The rows as one HTML page: candidates side by side, to sort and to compare. Of the same kind as the pages
/// of `unknot report` (docs/report.md), but without a network. At least one row.
std::string design_page(const DesignRows& rows, const DesignOptions& options, const PriceModel& costs);

/// Sentences for its top: the largest or the cheapest candidate first. At least one.
std::vector<std::string> design_summary(const DesignRows& rows, const DesignOptions& options,
                                        const PriceModel& costs);

}  // namespace unknot::cli
