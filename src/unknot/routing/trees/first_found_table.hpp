// SPDX-License-Identifier: Apache-2.0
#pragma once

#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// Shortest paths without any balance, by the rule that OpenSM's engine lash follows (read from its behaviour
/// in version 3.3.23): a breadth-first search starts at each router in order of numbers and looks at channels
/// in order of ports; the first search whose tree leads from a router to a destination fixes that router's
/// entry. Of parallel cables only the one at the lowest port is used. The terminals of a router share their
/// paths.
///
/// One table that all destinations share comes out, on shortest paths everywhere. O(routers * (channels +
/// routers with terminals * diameter)). Throws Interrupted.
ForwardingTable first_found_table(const Network& network, Progress& progress);

}  // namespace unknot
