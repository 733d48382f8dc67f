// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/place/places.hpp"
#include "unknot/tables/routing.hpp"
#include "unknot/traffic/patterns/pattern.hpp"
#include "unknot/traffic/workloads/matrix_file.hpp"

namespace unknot::place {

/// What the routes in force make of a placement. In bytes; busiest and mean are loads, bytes over widths.
struct PlacementMeasure {
  double busiest_channel = 0;  ///< between routers
  ChannelId channel;           ///< that one; invalid where no channel carries anything
  double mean_channel = 0;     ///< over all channels between routers
  double busiest_cable = 0;    ///< between a terminal and its router, one direction
  double hop_bytes = 0;        ///< bytes times channels between routers that they take
  double between_hosts = 0;    ///< bytes that leave their host
  std::uint64_t unroutable = 0;

  [[nodiscard]] double busiest() const {
    return busiest_channel > busiest_cable ? busiest_channel : busiest_cable;
  }
};

/// The exchanges of the ranks as flows between terminals, of `bytes` weight each; those of one pair of
/// terminals added up, in order of terminals, what stays on a host left out. O(entries log entries).
std::vector<Flow> placed_flows(const Places& places, const Placement& placement,
                               const CommunicationMatrix& sent);

/// Counted by the code that measures the load of any flows; knows nothing of how the placement was found.
PlacementMeasure measure_placement(const Network& network, const Routing& routing, const LinkWidths& widths,
                                   const std::vector<Flow>& flows);

}  // namespace unknot::place
