// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/cli/command/command.hpp"

namespace unknot::cli {

/// `design --search`: a network that no family has.
struct DesignSearchOptions {
  bool search = false;
  std::uint32_t routers = 0;
  std::uint32_t ports = 0;
  std::string optical;  ///< "cubes", or nothing for any cables
  std::uint32_t each = 1;
  std::uint32_t lanes = 4;
  double effort = 1;
  std::string output;
  std::string format = "json";
};

void declare_design_search(CLI::App& app, DesignSearchOptions& options);
/// Searches, measures by code that did not search, routes and proves.
Answer design_search(const DesignSearchOptions& options, const Common& common);

}  // namespace unknot::cli
