// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/simulate/watch/packet_watch.hpp"

namespace unknot::cli {

/// Writes a line of JSON for each event: cycle, event, source, destination, number, flit, at, and what the
/// event has of from, to, lane and lanes. A cycle has a fraction where a step is a part of a cycle.
void write_events(const simulate::RoutePlan& plan, const std::vector<simulate::WatchEvent>& events,
                  std::uint32_t speedup, const std::string& path);

}  // namespace unknot::cli
