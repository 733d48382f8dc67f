// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kSpines = 6;
constexpr std::uint32_t kLines = 12;
constexpr std::uint32_t kParallel = 2;  // cables between a line and a spine
constexpr std::uint32_t kPorts = 24;
constexpr std::uint32_t kDown = kPorts - kSpines * kParallel;
constexpr std::uint32_t kEndpoints = 128;
constexpr std::uint32_t kRouters = kSpines + kLines;

TerminalPlacement placement(const Parameters& p) {
  return p.has("p") || p.has("terminals") ? placement_from(p) : TerminalPlacement::spread_evenly(kEndpoints);
}

}  // namespace

// A fabric like Odin (Indiana University; 128 endpoints on one 144-port switch): the switch is a folded Clos
// of crossbars of 24 ports, 12 lines with 12 ports down, 6 spines, two cables from each line to each spine.
// [Domke, Hoefler, Nagel 2011, section V, says "a pure fat tree with only one 144-port switch"; its inside
// and how endpoints sit on it are our reading]
//
// 18 routers: the lines, then the spines, named so, with levels. Terminals go on lines, a spread total as
// evenly as can be, 10 or 11 on each by default; InputError for more than 12 on a line.
static Network odin(const TerminalPlacement& terminals) {
  if (terminals.total(kLines) > std::uint64_t{kLines} * kDown) {
    throw InputError(fmt::format("topology odin has room for {} terminals, {} on each line crossbar",
                                 kLines * kDown, kDown));
  }
  NetworkBuilder builder;
  builder.add_routers(kRouters);
  for (std::uint32_t l = 0; l < kLines; ++l) {
    builder.labels().router_name.push_back(fmt::format("line{:02}", l));
    for (std::uint32_t s = 0; s < kSpines; ++s) {
      for (std::uint32_t i = 0; i < kParallel; ++i) builder.add_cable(RouterId(l), RouterId(kLines + s));
    }
  }
  for (std::uint32_t s = 0; s < kSpines; ++s) {
    builder.labels().router_name.push_back(fmt::format("spine{}", s));
  }
  builder.labels().router_ports.assign(kRouters, kPorts);
  place_terminals(builder, RouterId(0), kLines, terminals);
  std::vector<std::uint32_t> levels(kLines, 0);
  levels.resize(kRouters, 1);
  builder.set_levels(std::move(levels));
  return std::move(builder).build();
}

Topology odin_topology() {
  return {.name = "odin",
          .summary = "a fabric like Odin: one 144-port switch of 24-port crossbars, 128 terminals",
          .parameters = {},
          .size =
              [](const Parameters& p) {
                return NetworkSize{kRouters, std::uint64_t{kLines} * kSpines * kParallel,
                                   placement(p).total(kLines)};
              },
          .make = [](const Parameters& p) { return odin(placement(p)); },
          .examples = {"odin", "odin:p=12"}};
}

}  // namespace unknot
