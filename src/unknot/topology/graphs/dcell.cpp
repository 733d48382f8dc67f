// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/saturating.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

/// Servers of a cell of each level up to k.
std::vector<std::uint64_t> cell_sizes(const Parameters& p) {
  std::vector<std::uint64_t> sizes{p.number("n")};
  for (std::uint64_t level = 1; level <= p.number("k"); ++level)
    sizes.push_back(saturating_multiply(sizes.back(), saturating_add(sizes.back(), 1)));
  return sizes;
}

NetworkSize dcell_size(const Parameters& p) {
  const std::uint64_t servers = cell_sizes(p).back();
  // a cable to its switch for each, and half a cable for each level above
  const std::uint64_t twice = saturating_multiply(servers, 2 + p.number("k"));
  return {saturating_add(servers, servers / p.number("n")), twice / 2, placement_from(p).total(servers)};
}

Network make_dcell(const Parameters& p) {
  const std::uint32_t n = p.number32("n");
  const NetworkSize size = dcell_size(p);
  const std::vector<std::uint64_t> sizes = cell_sizes(p);
  const auto servers = static_cast<std::uint32_t>(sizes.back());
  NetworkBuilder builder;
  builder.reserve(size.routers, size.cables, size.terminals);
  builder.add_routers(static_cast<std::uint32_t>(size.routers));
  for (std::uint32_t server = 0; server < servers; ++server)
    builder.add_cable(RouterId(server), RouterId(servers + server / n));
  for (std::uint32_t level = 1; level < sizes.size(); ++level) {
    const auto part = static_cast<std::uint32_t>(sizes[level - 1]);
    const auto whole = static_cast<std::uint32_t>(sizes[level]);
    for (std::uint32_t cell = 0; cell < servers; cell += whole) {
      for (std::uint32_t i = 0; i <= part; ++i) {
        for (std::uint32_t j = i + 1; j <= part; ++j)
          builder.add_cable(RouterId(cell + i * part + j - 1), RouterId(cell + j * part + i));
      }
    }
  }
  place_terminals(builder, RouterId(0), servers, placement_from(p));
  return std::move(builder).build();
}

}  // namespace

// DCell_k: a DCell_0 is n servers on a switch; a DCell_l of t + 1 DCells of the level below, t servers each,
// joined pairwise: server j - 1 of part i to server i of part j, for i < j. Servers, which forward, come
// first, each a router with a terminal, cell by cell; then the switches. [Guo et al., SIGCOMM 2008]
Topology dcell_topology() {
  return {.name = "dcell",
          .summary = "DCell: cells of servers that forward, joined pairwise, level by level",
          .parameters = {{.name = "n", .help = "servers on a switch", .min = 2, .max = 60'000},
                         {.name = "k", .help = "levels above the first", .min = 0, .max = 8}},
          .size = dcell_size,
          .make = make_dcell,
          .examples = {"dcell:n=3,k=1", "dcell:n=4,k=0,p=2", "dcell:n=4,k=1"},
          .spread = TerminalSpread::evenly_on_some};
}

}  // namespace unknot
