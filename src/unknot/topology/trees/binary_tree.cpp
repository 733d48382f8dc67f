// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/network/network.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/power_of_two.hpp"
#include "unknot/topology/terminal_placement.hpp"
#include "unknot/topology/trees/xgft.hpp"

namespace unknot {
namespace {

XgftParams binary_tree(const Parameters& p) {
  const std::uint32_t levels = log2_terminals("btree", p.number32("n")) - 1;
  return {std::vector<std::uint32_t>(levels, 2), std::vector<std::uint32_t>(levels, 1)};
}

}  // namespace

// Complete binary tree in which every router carries terminals: router 0 is the root, 2i+1 and 2i+2 are the
// children of i. Port 1 leads up, but at the root; then the children, then terminals.
static Network full_tree(std::uint32_t routers, const TerminalPlacement& terminals) {
  NetworkBuilder builder;
  builder.reserve(routers, routers - 1, terminals.total(routers));
  builder.add_routers(routers);
  for (std::uint32_t child = 1; child < routers; ++child) {
    const std::uint32_t parent = (child - 1) / 2;
    const auto down = static_cast<std::uint16_t>((parent == 0 ? 1 : 2) + (child - 1) % 2);
    builder.add_cable(RouterId(parent), down, RouterId(child), 1);
  }
  place_terminals(builder, RouterId(0), routers, terminals);
  return std::move(builder).build();
}

// Binary tree of switches with the terminals below: N/2 switches at the lowest level, N-1 in all, two
// terminals on each of the lowest by default. An XGFT with one parent for each switch.
Topology btree_topology() {
  return {.name = "btree",
          .summary = "binary tree of switches with N terminals below, two on each lowest switch",
          .parameters = {{.name = "n", .help = "terminals, a power of two", .min = 2}},
          .size = [](const Parameters& p) { return xgft_size(binary_tree(p), placement_from(p, 2)); },
          .make = [](const Parameters& p) { return xgft(binary_tree(p), placement_from(p, 2)); },
          .examples = {"btree:8", "btree:16,p=1", "btree:2"},
          .known_cut =
              [](const Parameters& p) { return p.number32("n") > 2 ? std::optional(1.0) : std::nullopt; }};
}

Topology fulltree_topology() {
  return {.name = "fulltree",
          .summary = "complete binary tree, terminals on every router",
          .parameters = {{.name = "n", .help = "routers", .min = 1}},
          .size =
              [](const Parameters& p) {
                const std::uint64_t n = p.number("n");
                return NetworkSize{n, n - 1, placement_from(p).total(n)};
              },
          .make = [](const Parameters& p) { return full_tree(p.number32("n"), placement_from(p)); },
          .examples = {"fulltree:7", "fulltree:12,p=2", "fulltree:1"}};
}

}  // namespace unknot
