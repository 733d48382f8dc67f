// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// A tree of channels towards each terminal, destination after destination: by router the channel that a
/// packet leaves by. Memory: 4 bytes for each terminal and router.
class LayerTrees {
 public:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;  ///< no way, or the destination's own router

  explicit LayerTrees(const Network& network)
      : routers_(network.router_count()), hops_(std::size_t{routers_} * network.terminal_count(), kNone) {}

  [[nodiscard]] std::span<std::uint32_t> towards(TerminalId t) {
    return {hops_.data() + std::size_t{routers_} * t.value, routers_};
  }
  [[nodiscard]] std::span<const std::uint32_t> towards(TerminalId t) const {
    return {hops_.data() + std::size_t{routers_} * t.value, routers_};
  }

 private:
  std::uint32_t routers_;
  std::vector<std::uint32_t> hops_;
};

/// By terminal of a network with addresses: 0 for the first address of a port, 1 for the next and so on.
inline std::vector<std::uint32_t> address_ranks(const Network& network) {
  std::vector<std::uint32_t> rank(network.terminal_count(), 0);
  for (const TerminalId t : network.terminals()) {
    if (network.further_address(t)) rank[t.value] = rank[t.value - std::size_t{1}] + 1;
  }
  return rank;
}

/// By router: ports with terminals, each once whatever its addresses.
inline std::vector<std::uint32_t> sending_ports(const Network& network) {
  std::vector<std::uint32_t> ports(network.router_count(), 0);
  for (const TerminalId t : network.terminals())
    ports[network.router_of(t).value] += network.further_address(t) ? 0 : 1;
  return ports;
}

}  // namespace unknot
