// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/cli/command/command.hpp"
#include "unknot/cli/simulation/simulate_options.hpp"
#include "unknot/network/network.hpp"
#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/simulate/watch/packet_watch.hpp"

namespace unknot::cli {

/// The packets that --watch or --watch-packets asks for.
simulate::PacketWatch watch_of(const Network& network, const SimulateOptions& options);

/// To the file of --events, a line of JSON for each event: cycle, event, source, destination, number, flit,
/// at, and what the event has of from, to, lane and lanes. A cycle has a fraction where a step is a part of a
/// cycle. Wishes that no packet has met are said on standard error.
void write_events(const simulate::RoutePlan& plan, const simulate::PacketWatch& watch, std::uint32_t speedup,
                  const SimulateOptions& options, const Common& common);

}  // namespace unknot::cli
