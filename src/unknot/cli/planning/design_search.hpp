// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/cli/command/command.hpp"
#include "unknot/design/floor_plan.hpp"

namespace unknot::cli {

/// `design --search`: a network that no family has.
struct DesignSearchOptions {
  bool search = false;
  std::uint32_t routers = 0;
  std::uint32_t ports = 0;
  std::string optical;  ///< "cubes", or nothing for any cables
  std::string grid;     ///< "20x20": routers at places of a grid
  double longest = 0;   ///< metres, or steps of the grid; 0: no limit
  std::string aim = "throughput";
  std::uint32_t each = 1;
  std::uint32_t lanes = 4;
  double effort = 1;
  std::string output;
  std::string format = "json";
};

/// What `design --search` may use of the options of `design`.
struct SearchCosts {
  const PriceModel& model;
  bool priced = false;  ///< the bill is wanted
};

void declare_design_search(CLI::App& app, DesignSearchOptions& options);
/// Searches, measures by code that did not search, routes and proves.
Answer design_search(const DesignSearchOptions& options, const SearchCosts& costs, const Common& common);

}  // namespace unknot::cli
