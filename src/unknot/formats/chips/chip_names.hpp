// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// Names for hardware: the network's own where all of them are different identifiers (letters, digits and
/// underscores, no digit first), else router_0, ... and endpoint_0, ...
struct ChipNames {
  std::vector<std::string> routers, terminals;
};
ChipNames chip_names(const Network& network);

/// InputError where two cables join the same routers: `what` takes one.
void require_single_cables(const Network& network, std::string_view what);

}  // namespace unknot
