// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "unknot/network/network.hpp"

namespace unknot {

/// The link list of OpenSM (opensm-subnet.lst: a line for each direction of each link) and of ibdiagnet
/// (ibdiagnet.lst, ibdiagnet2.lst: one line for each link, or both), with all that is known of both ends.
/// Links with LOG=DWN are left out. Devices without a link do not show; hosts on the first line come from it
/// as from any other. Throws InputError where some links are stated from both sides and others are not: lines
/// are missing. See assemble() for what else is checked. O(n log n) time for n lines.
Network read_subnet_list(std::string_view text, const std::string& name);
/// The same of several subnets in one text, which no cable joins.
Network read_subnet_list_parts(std::string_view text, const std::string& name);

/// True when the first line of `head` is one of this format.
bool looks_like_subnet_list(std::string_view head);

}  // namespace unknot
