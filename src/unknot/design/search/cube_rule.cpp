// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <array>
#include <vector>

#include "unknot/design/search/network_search.hpp"

namespace unknot {

// From coordinates of routers and ports alone: nothing here knows of lifts.
std::string broken_cube_rule(const Network& network) {
  using Place = std::array<std::uint32_t, 3>;
  const std::uint32_t side = 4;
  const auto place_of = [](std::uint32_t router) {
    return Place{router / 16 % 4, router / 4 % 4, router % 4};
  };
  if (network.router_count() % 64 != 0)
    return fmt::format("{} routers are no cubes of 64", network.router_count());
  std::vector<std::uint32_t> channels(network.router_count(), 0);
  for (const ChannelId c : network.channels()) {
    const std::uint32_t from = network.source(c).value;
    const std::uint32_t to = network.target(c).value;
    const std::uint32_t port = network.source_port(c);
    ++channels[from];
    if (port < 1 || port > 6)
      return fmt::format("{} has a cable at port {}", network.router_name(RouterId(from)), port);
    const std::uint32_t d = (port - 1) / 2;
    const bool up = port % 2 == 1;
    const std::uint32_t at = place_of(from)[d];
    const bool leaves = up ? at + 1 == side : at == 0;
    Place wanted = place_of(from);
    wanted[d] = up ? (at + 1) % side : (at + side - 1) % side;
    const bool cube_kept = from / 64 == to / 64;
    if (place_of(to) != wanted || (!leaves && !cube_kept)) {
      return fmt::format("{} leads where {} does not", network.channel_name(c),
                         leaves ? "its optical switch" : "its cube");
    }
    const ChannelId back = network.reverse(c);
    if (!back.valid() || network.source_port(back) != (up ? port + 1 : port - 1))
      return fmt::format("{} joins two ports of one kind", network.channel_name(c));
  }
  for (std::uint32_t r = 0; r < network.router_count(); ++r) {
    if (channels[r] != 6)
      return fmt::format("{} has {} cables, not 6", network.router_name(RouterId(r)), channels[r]);
  }
  return {};
}

}  // namespace unknot
