// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

#include "unknot/bounds/delivered.hpp"
#include "unknot/oblivious/router_demand.hpp"
#include "unknot/traffic/patterns/pattern.hpp"

namespace unknot {

/// What one sample of a pattern asks of a network, in the weights of its flows: rates of flows that go on for
/// ever, or messages of an exchange that ends.
struct Exchange {
  RouterDemand between;       ///< what the channels between routers carry
  double peak_injection = 0;  ///< of the terminal that sends most
  double peak_ejection = 0;   ///< of the terminal that receives most
  double total = 0;           ///< all weights, traffic inside routers included
  std::uint64_t flows = 0;
};
/// Patterns whose mean is uniform, "uniform" and "all-to-all", are that mean: each terminal sends 1, spread
/// evenly over all others. O(flows log flows).
Exchange exchange_of(const Network& network, const TrafficPattern& pattern, std::uint64_t seed,
                     std::uint32_t sample);

/// Bounds that the most loaded channel sets, cables of terminals included, all of rate 1: no schedule and no
/// buffers make it faster. [Kathareios et al., SC'15, sections 4 and 5]
struct FluidLimit {
  /// Time in which the exchange can end: the largest load. 0 where nothing is sent, infinite where a flow has
  /// no path: it never ends.
  double time = 0;
  /// Rate of the busiest sender, of a channel's, while all flows are delivered: the saturation load where all
  /// terminals send alike. 0 where a flow has no path.
  double saturation = 1;
  /// What arrives, over terminals, idle ones included, and the time that it takes.
  double effective_throughput = 0;
};
/// `max_load` is that of the channels between routers.
FluidLimit fluid_limit(const Network& network, const Exchange& exchange, double max_load);
/// The same where flows are lost, and `part` is what is left: `max_load` is that of what arrives. Lost flows
/// are sent too, and take their time on the cables of their senders.
FluidLimit fluid_limit(const Network& network, const Exchange& exchange, const DeliveredPart& part,
                       double max_load);

}  // namespace unknot
