// SPDX-License-Identifier: Apache-2.0
// FatClique [Zhang, Mysore, Supittayapornpong, Govindan, NSDI 2019]: cliques of cliques of cliques. The
// routers of a sub-block are a full mesh; the sub-blocks of a block are joined pairwise by the same number of
// cables, for which each router has `c` ports; and so are the blocks, for which each router has `b` ports.
// Ports that do not divide evenly are joined as in a dragonfly (global_links.hpp), nearest groups first. Port
// k of a sub-block or block is on its router k % size: neighbours among its ports are on different routers.
// Router r of sub-block s of block i is number (i subblocks + s) switches + r.
#include <cstdint>
#include <utility>

#include <fmt/format.h>

#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/graphs/global_links.hpp"
#include "unknot/topology/saturating.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

struct FatClique {
  std::uint32_t switches = 1, subblocks = 1, blocks = 1;
  std::uint32_t c = 0, b = 0;

  [[nodiscard]] std::uint64_t in_block() const { return std::uint64_t{switches} * subblocks; }
  [[nodiscard]] GlobalLinks among_subblocks() const {
    return {subblocks, switches * c, Arrangement::relative};
  }
  [[nodiscard]] GlobalLinks among_blocks() const {
    return {blocks, static_cast<std::uint32_t>(in_block()) * b, Arrangement::relative};
  }
};

/// Cliques of which two members are not joined are refused, and ports that lead nowhere.
void check_ports(const char* of, std::uint32_t groups, std::uint64_t routers, const char* port,
                 std::uint32_t each) {
  if (groups == 1 && each > 0) {
    throw InputError(
        fmt::format("topology fatclique: one of the {} needs no ports to others; {}=0", of, port));
  }
  const std::uint64_t ports = routers * each;
  if (ports >= groups - std::uint64_t{1}) return;
  throw InputError(
      fmt::format("topology fatclique: {} {} with {} ports each cannot be joined pairwise; {} of {} can",
                  groups, of, ports, port, (groups - 1 + routers - 1) / routers));
}

FatClique fatclique_from(const Parameters& p) {
  const FatClique shape{p.number32("switches"), p.number32("subblocks"), p.number32("blocks"),
                        p.number32("c"), p.number32("b")};
  if (shape.in_block() * std::max(shape.b, 1U) > 0xFFFFFFFFU ||
      std::uint64_t{shape.switches} * shape.c > 0xFFFFFFFFU)
    throw InputError("topology fatclique: a block has more than 4294967295 ports to others");
  check_ports("sub-blocks", shape.subblocks, shape.switches, "c", shape.c);
  check_ports("blocks", shape.blocks, shape.in_block(), "b", shape.b);
  return shape;
}

NetworkSize fatclique_size(const FatClique& shape, const TerminalPlacement& terminals) {
  const std::uint64_t sub = saturating_multiply(shape.blocks, shape.subblocks);
  const std::uint64_t routers = saturating_multiply(sub, shape.switches);
  const std::uint64_t inside =
      saturating_multiply(sub, std::uint64_t{shape.switches} * (shape.switches - std::uint64_t{1}) / 2);
  const std::uint64_t between =
      saturating_multiply(shape.blocks, global_cable_count(shape.among_subblocks()));
  return {routers, saturating_add(saturating_add(inside, between), global_cable_count(shape.among_blocks())),
          terminals.total(routers)};
}

Network fatclique(const FatClique& shape, const TerminalPlacement& terminals) {
  const NetworkSize size = fatclique_size(shape, terminals);
  NetworkBuilder builder;
  builder.reserve(size.routers, size.cables, size.terminals);
  builder.add_routers(static_cast<std::uint32_t>(size.routers));
  for (std::uint32_t first = 0; first < size.routers; first += shape.switches) {
    for (std::uint32_t r = 0; r < shape.switches; ++r) {
      for (std::uint32_t other = r + 1; other < shape.switches; ++other)
        builder.add_cable(RouterId(first + r), RouterId(first + other));
    }
  }
  const auto join = [&](const std::vector<GlobalCable>& cables, std::uint32_t first, std::uint32_t routers) {
    for (const GlobalCable& cable : cables) {
      builder.add_cable(RouterId(first + cable.group * routers + cable.port % routers),
                        RouterId(first + cable.far_group * routers + cable.far_port % routers));
    }
  };
  const auto block = static_cast<std::uint32_t>(shape.in_block());
  const std::vector<GlobalCable> in_block = global_cables(shape.among_subblocks());
  for (std::uint32_t i = 0; i < shape.blocks; ++i) join(in_block, i * block, shape.switches);
  join(global_cables(shape.among_blocks()), 0, block);
  place_terminals(builder, RouterId(0), static_cast<std::uint32_t>(size.routers), terminals);
  return std::move(builder).build();
}

}  // namespace

Topology fatclique_topology() {
  return {.name = "fatclique",
          .summary = "FatClique: a clique of blocks, each a clique of sub-blocks, each a clique of switches",
          .parameters =
              {{.name = "switches", .help = "routers of a sub-block", .min = 1, .max = 60'000},
               {.name = "subblocks", .help = "sub-blocks of a block", .min = 1, .max = 60'000},
               {.name = "blocks", .help = "blocks", .min = 1, .max = 60'000},
               {.name = "c",
                .help = "ports of a router to other sub-blocks of its block",
                .fallback = "1",
                .max = 60'000},
               {.name = "b", .help = "ports of a router to other blocks", .fallback = "1", .max = 60'000}},
          .size = [](const Parameters& p) { return fatclique_size(fatclique_from(p), placement_from(p)); },
          .make = [](const Parameters& p) { return fatclique(fatclique_from(p), placement_from(p)); },
          .examples = {"fatclique:switches=2,subblocks=3,blocks=3",
                       "fatclique:switches=3,subblocks=2,blocks=2,c=2,b=1,p=2",
                       "fatclique:switches=2,subblocks=2,blocks=5,c=1,b=1"}};
}

}  // namespace unknot
