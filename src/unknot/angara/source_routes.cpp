// SPDX-License-Identifier: Apache-2.0
#include "unknot/angara/source_routes.hpp"

#include <algorithm>

#include "unknot/support/parallel.hpp"

namespace unknot::angara {

std::shared_ptr<const SourceRoutes> to_source_routes(const Torus& torus, std::span<const RouteCode> table,
                                                     std::uint32_t threads) {
  const Network& network = torus.network();
  std::vector<std::uint16_t> lengths(table.size());
  std::transform(table.begin(), table.end(), lengths.begin(),
                 [](RouteCode code) { return static_cast<std::uint16_t>(code.hops()); });
  const auto routes = std::make_shared<SourceRoutes>(network.terminal_count(), lengths);
  parallel_blocks(network.terminal_count(), 8, threads,
                  [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
                    for (TerminalId s(begin); s.value < end; ++s.value) {
                      for (const TerminalId d : network.terminals()) {
                        const auto route = routes->route(s, d);
                        std::size_t hop = 0;
                        walk(torus, network.router_of(s).value,
                             table[static_cast<std::size_t>(s.value) * network.terminal_count() + d.value],
                             [&](std::uint32_t slot) { route[hop++] = torus.channel(slot); });
                      }
                    }
                  });
  return routes;
}

RouteEncoder::RouteEncoder(const Torus& torus)
    : torus_(&torus), slot_of_(torus.network().channel_count(), Torus::kNone) {
  for (std::uint32_t slot = 0; slot < torus.slot_count(); ++slot) {
    if (torus.next(slot) != Torus::kNone) slot_of_[torus.channel(slot).value] = slot;
  }
}

std::optional<RouteCode> RouteEncoder::code(std::uint32_t node, std::span<const ChannelId> route) const {
  constexpr std::size_t kMostHops = kMostDimensions * 127 + 2;
  if (route.size() > kMostHops) return std::nullopt;
  std::array<Direction, kMostHops> directions{};
  for (std::size_t hop = 0; hop < route.size(); ++hop) {
    const ChannelId c = route[hop];
    if (c.value >= slot_of_.size() || torus_->network().source(c).value != node) return std::nullopt;
    directions[hop] = torus_->direction(slot_of_[c.value]);
    node = torus_->next(slot_of_[c.value]);
  }
  return encode(*torus_, {directions.data(), route.size()});
}

}  // namespace unknot::angara
