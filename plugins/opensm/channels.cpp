// SPDX-License-Identifier: Apache-2.0
#include "channels.hpp"

namespace unknot::opensm {

Channels::Channels(const unknot_fabric& fabric) : at(fabric.switches.size()) {
  for (std::uint32_t s = 0; s < fabric.switches.size(); ++s) {
    const auto& ports = fabric.switches[s].ports;
    at[s].assign(ports.size(), kNone);
    for (std::size_t p = 1; p < ports.size(); ++p) {
      if (ports[p].kind != Peer::node) continue;
      at[s][p] = count();
      all.push_back({s, ports[p].index, static_cast<std::uint8_t>(p), ports[p].port, ports[p].lanes, pairs});
      pairs += fabric.switches[ports[p].index].ports.size();
    }
  }
}

}  // namespace unknot::opensm
