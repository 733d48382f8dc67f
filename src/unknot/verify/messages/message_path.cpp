// SPDX-License-Identifier: Apache-2.0
#include "unknot/verify/messages/message_path.hpp"

#include "unknot/tables/lane_function.hpp"
#include "unknot/verify/flow_search.hpp"
#include "unknot/verify/messages/message_flows.hpp"

namespace unknot {

std::vector<std::uint32_t> message_path(const Network& network, const Routing& routing, TerminalId source,
                                        TerminalId destination) {
  const LaneFunction lanes(routing);
  const MessageBuffers buffers(network);
  const std::uint8_t level = routing.service_levels.get(source, destination);
  std::vector<std::uint32_t> held;
  if (lanes.injected(level, source) >= kLanesToldApart) return held;
  held.push_back(buffers.send(source));
  const RouterId home = network.router_of(destination);
  RouterId at = network.router_of(source);
  std::uint16_t in_port = network.terminal_port(source);
  for (const LaneChannel hop : follow(network, routing, source, destination)) {
    held.push_back(buffers.channel(hop.channel, hop.lane));
    at = network.target(hop.channel);
    in_port = network.target_port(hop.channel);
  }
  const bool whole = routing.routes() == nullptr
                         ? routing.table().get(at, destination) == ForwardingTable::kHere
                         : held.size() == routing.routes()->route(source, destination).size() + 1;
  if (at == home && whole &&
      lanes.lane(level, home, in_port, network.terminal_port(destination)) < kLanesToldApart) {
    held.push_back(buffers.receive(destination));
  }
  return held;
}

}  // namespace unknot
