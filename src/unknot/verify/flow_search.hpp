// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {

/// The channels, with their lanes, that packets of `source` to `destination` hold, as far as they get. A loop
/// is followed until router, port and lane have come twice.
std::vector<LaneChannel> follow(const Network& network, const Routing& routing, TerminalId source,
                                TerminalId destination);

struct FlowEnds {
  TerminalId source, destination;
};

/// A flow that holds `from` and waits for `to`: the first by destination, then the nearest source upstream.
/// Scans two rows of the tables and searches upstream only for destinations that match. Nothing when no flow
/// does.
std::optional<FlowEnds> find_flow(const Network& network, const Routing& routing, LaneChannel from,
                                  LaneChannel to);
/// A flow that holds `channel`.
std::optional<FlowEnds> find_flow(const Network& network, const Routing& routing, LaneChannel channel);

}  // namespace unknot
