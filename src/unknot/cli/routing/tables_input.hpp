// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <optional>
#include <string>

#include "unknot/formats/tables/lid_map.hpp"
#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot::cli {

/// Files that together make a third-party routing.
struct TablesInput {
  std::string tables;
  std::string lanes;     ///< service level of each path; "": those of the tables' file, or all 0
  std::string lane_map;  ///< SL-to-VL tables; "": those of the tables' file, or level l on lane l
};

/// Throws InputError as the readers do. `told` (optional) gets the LIDs that the tables go by, where they
/// tell any.
Routing read_routing(const Network& network, const TablesInput& input, std::optional<LidMap>* told = nullptr);

/// The same for what faults or an allocation leave of a fabric: tables of what is left or, where they do not
/// fit it, of the whole. Throws InputError, about what is left, where they fit neither.
Routing read_routing_within(const Network& whole, const Network& part, const TablesInput& input);

}  // namespace unknot::cli
