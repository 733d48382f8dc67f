// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/simulate/core/source.hpp"
#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/simulate/settings/link_times.hpp"
#include "unknot/simulate/settings/settings.hpp"

namespace unknot::simulate {

/// Part of each router, so that parts have about as many ports each and few channels between them: by METIS.
/// At most 255 parts. [Karypis and Kumar 1998]
std::vector<std::uint8_t> divide_routers(const Network& network, std::uint32_t parts);

/// Into how many parts a run is divided on so many threads; 1 where it is not: where a router decides by what
/// lies beyond its own buffers, channels take no time, terminals depend on each other, or the
/// network is so small that threads would mostly wait for each other.
std::uint32_t parts_of_run(const RoutePlan& plan, const Settings& settings, const LinkTimes& links,
                           const Source& source, std::uint32_t threads);

}  // namespace unknot::simulate
