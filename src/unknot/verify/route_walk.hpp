// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/verify/table_walk.hpp"

namespace unknot {

/// walk_tables() for source routes: every route is followed channel by channel. One that does not start at
/// its source, has a gap, or ends elsewhere is lost at that point, and holds the channels up to there.
/// O(channels of all routes), parallel over sources.
TableWalk walk_routes(const Network& network, const Routing& routing, std::uint32_t threads,
                      std::uint32_t max_findings, Progress& progress);

}  // namespace unknot
