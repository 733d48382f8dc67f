// SPDX-License-Identifier: Apache-2.0
#include "unknot/tables/source_routes.hpp"

namespace unknot {

SourceRoutes::SourceRoutes(std::uint32_t terminals, std::span<const std::uint16_t> lengths)
    : terminals_(terminals), row_(terminals) {
  first_.reserve(lengths.size() + terminals);
  std::size_t total = 0;
  for (std::uint32_t s = 0; s < terminals; ++s) {
    row_[s] = total;
    std::uint32_t in_row = 0;
    for (std::uint32_t d = 0; d < terminals; ++d) {
      first_.push_back(in_row);
      in_row += lengths[static_cast<std::size_t>(s) * terminals + d];
    }
    first_.push_back(in_row);
    total += in_row;
  }
  channels_.resize(total);
}

bool delivers(const Network& network, const SourceRoutes& routes, TerminalId source, TerminalId destination) {
  RouterId at = network.router_of(source);
  for (const ChannelId c : routes.route(source, destination)) {
    if (c.value >= network.channel_count() || network.source(c) != at) return false;
    at = network.target(c);
  }
  return at == network.router_of(destination);
}

}  // namespace unknot
