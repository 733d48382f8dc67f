// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/network/network.hpp"

namespace unknot {

/// Net file of the InfiniBand simulator ibsim. Devices without a GUID directive get the GUIDs ibsim gives
/// them. Included files are read; commands that change links are refused.
Network read_ibsim_net(std::string_view text, const std::string& name);
/// The same of several subnets in one text, which no cable joins.
Network read_ibsim_net_parts(std::string_view text, const std::string& name);

/// A net that ibsim loads, with our GUIDs and LIDs; hosts first, since ibsim attaches programs to the first
/// device unless SIM_HOST names another. ibsim makes a port's GUID from the node's, GUID + port number,
/// whatever the file says. Throws InputError for one-way channels, more than 254 ports, and names longer than
/// InfiniBand's 64 bytes.
std::string write_ibsim_net(const Network& network);

}  // namespace unknot
