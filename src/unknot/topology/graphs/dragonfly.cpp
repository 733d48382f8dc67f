// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/graphs/global_links.hpp"
#include "unknot/topology/saturating.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

// Dragonfly: groups of `a` routers, each group a complete graph, joined by h global cables of each router: a
// h + 1 groups at most. Global port k of a group is on its router k / h. Router r of group i is number i a +
// r. [Kim, Dally, Scott, Abts 2008]
struct DragonflyParams {
  std::uint32_t a = 4;  // routers in a group
  std::uint32_t h = 2;  // global cables of a router
  GlobalLinks global;   // its ports are a h
};

DragonflyParams params_from(const Parameters& p) {
  const std::uint32_t a = p.number32("a");
  const std::uint32_t h = p.number32("h");
  return {a, h, global_links_from("dragonfly", p, a * h)};
}

NetworkSize dragonfly_size(const DragonflyParams& shape, const TerminalPlacement& terminals) {
  const std::uint64_t locals = std::uint64_t{shape.a} * (shape.a - 1) / 2;
  const std::uint64_t routers = saturating_multiply(shape.global.groups, shape.a);
  return {routers,
          saturating_add(saturating_multiply(shape.global.groups, locals), global_cable_count(shape.global)),
          terminals.total(routers)};
}

}  // namespace

static Network dragonfly(const DragonflyParams& shape, const TerminalPlacement& terminals) {
  const NetworkSize size = dragonfly_size(shape, terminals);
  const std::uint32_t a = shape.a;
  NetworkBuilder builder;
  builder.reserve(size.routers, size.cables, size.terminals);
  builder.add_routers(static_cast<std::uint32_t>(size.routers));
  for (std::uint32_t group = 0; group < shape.global.groups; ++group) {
    for (std::uint32_t r = 0; r < a; ++r) {
      for (std::uint32_t other = r + 1; other < a; ++other)
        builder.add_cable(RouterId(group * a + r), RouterId(group * a + other));
    }
  }
  for (const GlobalCable& cable : global_cables(shape.global)) {
    builder.add_cable(RouterId(cable.group * a + cable.port / shape.h),
                      RouterId(cable.far_group * a + cable.far_port / shape.h));
  }
  place_terminals(builder, RouterId(0), static_cast<std::uint32_t>(size.routers), terminals);
  return std::move(builder).build();
}

Topology dragonfly_topology() {
  std::vector<Parameter> parameters{
      {.name = "a", .help = "routers in a group", .min = 1, .max = 60'000},
      {.name = "h", .help = "global cables of a router", .min = 1, .max = 60'000}};
  for (Parameter& parameter : global_link_parameters()) parameters.push_back(std::move(parameter));
  return {.name = "dragonfly",
          .summary = "dragonfly of groups of a routers, at most a h + 1 of them",
          .parameters = std::move(parameters),
          .size = [](const Parameters& p) { return dragonfly_size(params_from(p), placement_from(p)); },
          .make = [](const Parameters& p) { return dragonfly(params_from(p), placement_from(p)); },
          .examples = {"dragonfly:a=4,h=2,p=2", "dragonfly:a=2,h=1", "dragonfly:a=3,h=1,p=1",
                       "dragonfly:a=3,h=2,groups=4,arrangement=circulant",
                       "dragonfly:a=2,h=3,groups=5,arrangement=relative"}};
}

}  // namespace unknot
