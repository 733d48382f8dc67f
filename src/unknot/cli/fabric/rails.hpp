// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot::cli {

/// A part of a fabric that no cable joins to the others, with terminals: a subnet of its own, with a subnet
/// manager of its own. Routers and terminals keep names, GUIDs, LIDs and ports, as with_faults() has it.
struct Rail {
  std::uint32_t number = 0;  ///< from 1: the one with the most terminals, then routers, then by least GUID
  Network network;
};

/// All rails of a fabric. O(network * rails).
std::vector<Rail> rails_of(const Network& network);
/// The one of that number. InputError, with the rails there are, where there is none.
Network rail_of(const Network& network, std::uint32_t number, const std::string& fabric);

/// "rail 2: 4 routers from leaf-7 on, 16 terminals".
std::string rail_line(const Rail& rail);
/// Hosts, by name, with adapters in more than one rail.
std::uint64_t hosts_in_several(const std::vector<Rail>& rails);

/// Where a file of a rail goes: "dir/tables" to "dir/rail-2/tables", since the files that OpenSM reads and
/// writes beside tables (guid2lid) are those of one subnet; "" and "-" stay.
std::string rail_path(const std::string& path, std::uint32_t number);

}  // namespace unknot::cli
