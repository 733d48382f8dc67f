// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/saturating.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

NetworkSize bcube_size(const Parameters& p) {
  const std::uint64_t levels = p.number("k") + 1;
  const std::uint64_t servers = saturating_power(p.number("n"), levels);
  const std::uint64_t cables = saturating_multiply(levels, servers);
  return {saturating_add(servers, cables / p.number("n")), cables, placement_from(p).total(servers)};
}

Network make_bcube(const Parameters& p) {
  const std::uint32_t n = p.number32("n");
  const NetworkSize size = bcube_size(p);
  const auto servers = static_cast<std::uint32_t>(saturating_power(n, p.number("k") + 1));
  NetworkBuilder builder;
  builder.reserve(size.routers, size.cables, size.terminals);
  builder.add_routers(static_cast<std::uint32_t>(size.routers));
  std::uint32_t first = servers;  // switch of the level
  std::uint32_t stride = 1;
  for (std::uint32_t level = 0; level <= p.number32("k"); ++level, stride *= n, first += servers / n) {
    for (std::uint32_t server = 0; server < servers; ++server) {
      // all digits of the server but this level's
      const std::uint32_t others = server / stride / n * stride + server % stride;
      builder.add_cable(RouterId(server), static_cast<std::uint16_t>(level + 1), RouterId(first + others),
                        static_cast<std::uint16_t>(server / stride % n + 1));
    }
  }
  place_terminals(builder, RouterId(0), servers, placement_from(p));
  return std::move(builder).build();
}

}  // namespace

// BCube(n, k): n^(k+1) servers, which forward, with k + 1 ports each; a server's port l + 1 leads to a switch
// of level l, which it shares with the n - 1 servers that differ from it in digit l alone. Servers come
// first, each a router with a terminal, then the switches, level by level. [Guo et al., SIGCOMM 2009]
Topology bcube_topology() {
  return {.name = "bcube",
          .summary = "BCube: n^(k+1) servers that forward, under k + 1 levels of switches of n ports",
          .parameters = {{.name = "n", .help = "ports of a switch", .min = 2, .max = 60'000},
                         {.name = "k", .help = "levels of switches above the first", .min = 0, .max = 24}},
          .size = bcube_size,
          .make = make_bcube,
          .examples = {"bcube:n=3,k=1", "bcube:n=2,k=2,p=2"},
          .spread = TerminalSpread::evenly_on_some};
}

}  // namespace unknot
