// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>

#include "unknot/tables/service_classes.hpp"

namespace unknot {

/// What OpenSM is to be told of tables. Paths of files, "" where there is none.
struct OpensmOptions {
  std::string tables;
  std::string service_levels;
  std::string lane_map;
  std::string multicast;
  std::string qos_policy;
  std::uint32_t lmc = 0;         ///< hosts have 2^lmc LIDs
  std::uint32_t lanes = 1;       ///< in use, of all classes
  bool levels_are_lanes = true;  ///< false: SL-to-VL tables say which
  ServiceClasses classes;
};

/// Lines for opensm.conf: how many lanes ports are to have, service levels to lanes (those that nobody has
/// proven are dropped), shares of lanes in the arbitration, and what loads the tables: the plug-in where
/// levels, SL-to-VL tables or multicast trees go with them, else the stock `file` engine. Paths as they are
/// given: OpenSM may run in another folder. InputError for a path that a line cannot hold (blanks).
std::string opensm_options_text(const OpensmOptions& options);

}  // namespace unknot
