// SPDX-License-Identifier: Apache-2.0
#include "unknot/topology/dragonfly.hpp"

#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/topology/saturating.hpp"

namespace unknot {
namespace {

DragonflyParams params_from(const Parameters& p) {
  return {p.number32("a"), p.number32("h")};
}

NetworkSize dragonfly_size(const DragonflyParams& shape, const TerminalPlacement& terminals) {
  const std::uint64_t globals = std::uint64_t{shape.a} * shape.h;  // of a group
  const std::uint64_t groups = globals + 1;
  const std::uint64_t locals = std::uint64_t{shape.a} * (shape.a - 1) / 2;
  const std::uint64_t routers = saturating_multiply(groups, shape.a);
  // One of groups and globals is even.
  const std::uint64_t between =
      groups % 2 == 0 ? saturating_multiply(groups / 2, globals) : saturating_multiply(groups, globals / 2);
  return {routers, saturating_add(saturating_multiply(groups, locals), between), terminals.total(routers)};
}

}  // namespace

Network dragonfly(const DragonflyParams& shape, const TerminalPlacement& terminals) {
  const NetworkSize size = dragonfly_size(shape, terminals);
  const std::uint32_t a = shape.a;
  const std::uint32_t globals = a * shape.h;
  NetworkBuilder builder;
  builder.reserve(size.routers, size.cables, size.terminals);
  builder.add_routers(static_cast<std::uint32_t>(size.routers));
  for (std::uint32_t group = 0; group <= globals; ++group) {
    for (std::uint32_t r = 0; r < a; ++r) {
      for (std::uint32_t other = r + 1; other < a; ++other) {
        builder.add_cable(RouterId(group * a + r), RouterId(group * a + other));
      }
    }
  }
  for (std::uint32_t group = 0; group <= globals; ++group) {
    // Cables to lower groups were laid from there.
    for (std::uint32_t k = group; k < globals; ++k) {
      const std::uint32_t peer = k + 1;
      builder.add_cable(RouterId(group * a + k / shape.h), RouterId(peer * a + group / shape.h));
    }
  }
  place_terminals(builder, RouterId(0), static_cast<std::uint32_t>(size.routers), terminals);
  return std::move(builder).build();
}

Topology dragonfly_topology() {
  return {.name = "dragonfly",
          .summary = "dragonfly of a h + 1 groups of a routers, absolute arrangement",
          .parameters = {{.name = "a", .help = "routers in a group", .min = 1},
                         {.name = "h", .help = "global cables of a router", .min = 1}},
          .size = [](const Parameters& p) { return dragonfly_size(params_from(p), placement_from(p)); },
          .make = [](const Parameters& p) { return dragonfly(params_from(p), placement_from(p)); },
          .examples = {"dragonfly:a=4,h=2,p=2", "dragonfly:a=2,h=1", "dragonfly:a=3,h=1,p=1"}};
}

}  // namespace unknot
