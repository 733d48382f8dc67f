// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "unknot/cli/command/command.hpp"
#include "unknot/report/content.hpp"

namespace unknot::cli {

/// `report --compare BEFORE AFTER`: reads two pages and writes the one that compares them.
Answer compare_pages(const std::vector<std::string>& files, const report::Provenance& provenance,
                     const std::string& output, const Common& common);

/// Writes a page where it was asked for: as PDF by that Chromium, or as it is where that is "".
void write_page(const std::string& html, const std::string& chromium, const std::string& output,
                const Common& common);

}  // namespace unknot::cli
