// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kChassis = 3;
constexpr std::uint32_t kSpines = 12;
constexpr std::uint32_t kLines = 24;
constexpr std::uint32_t kPorts = 24;
constexpr std::uint32_t kTrunk = 30;  // cables between neighbouring chassis
constexpr std::uint32_t kEndpoints = 724;
constexpr std::uint32_t kRouters = kChassis * (kSpines + kLines);

RouterId line(std::uint32_t chassis, std::uint32_t index) {
  return RouterId(chassis * (kSpines + kLines) + kSpines + index);
}

TerminalPlacement placement(const Parameters& p) {
  return p.has("p")
             ? placement_from(p)
             : TerminalPlacement::spread_evenly(p.has("terminals") ? placement_from(p).number : kEndpoints);
}

}  // namespace

// A fabric like Deimos (Technische Universitaet Dresden, 2007; 724 endpoints): three chassis of 288 ports in
// a chain A-B-C. A chassis is 12 spine and 24 line crossbars of 24 ports, each line joined to each spine; 30
// cables join neighbouring chassis, `pack` of them on a line crossbar before the next has its turn: 1 is
// round robin over all, 12 fills a line crossbar. [Domke, Hoefler, Nagel 2011, section V; how cables and
// endpoints sit on line crossbars is our reading]
//
// 108 routers: for each chassis the spines, then the lines, named so. Terminals go on line crossbars, a
// spread total in proportion to the ports that are free; InputError when they do not fit.
static Network deimos(std::uint32_t pack, const TerminalPlacement& terminals) {
  NetworkBuilder builder;
  builder.add_routers(kRouters);
  for (std::uint32_t c = 0; c < kChassis; ++c) {
    const char letter = "ABC"[c];
    for (std::uint32_t s = 0; s < kSpines; ++s) {
      builder.labels().router_name.push_back(fmt::format("{}-spine{:02}", letter, s));
    }
    for (std::uint32_t l = 0; l < kLines; ++l) {
      builder.labels().router_name.push_back(fmt::format("{}-line{:02}", letter, l));
      for (std::uint32_t s = 0; s < kSpines; ++s) {
        builder.add_cable(line(c, l), RouterId(c * (kSpines + kLines) + s));
      }
    }
  }
  builder.labels().router_ports.assign(kRouters, kPorts);
  std::array<std::uint32_t, kChassis> next{};  // trunk cables so far
  std::vector<std::uint32_t> free(kChassis * kLines, kPorts - kSpines);
  for (std::uint32_t c = 0; c + 1 < kChassis; ++c) {
    for (std::uint32_t i = 0; i < kTrunk; ++i) {
      const std::uint32_t here = next[c]++ / pack % kLines;
      const std::uint32_t there = next[c + 1]++ / pack % kLines;
      builder.add_cable(line(c, here), line(c + 1, there));
      --free[c * kLines + here];
      --free[(c + 1) * kLines + there];
    }
  }

  std::uint64_t total_free = 0;
  for (const std::uint32_t ports : free) total_free += ports;
  const std::uint32_t least = *std::min_element(free.begin(), free.end());
  if (terminals.spread ? terminals.number > total_free : terminals.number > least) {
    throw InputError(fmt::format(
        "topology deimos has room for {} terminals, and for {} on each line crossbar", total_free, least));
  }
  std::uint64_t before = 0;
  for (std::uint32_t i = 0; i < free.size(); ++i) {
    std::uint64_t count = terminals.number;
    if (terminals.spread) {
      count = (before + free[i]) * terminals.number / total_free - before * terminals.number / total_free;
      before += free[i];
    }
    for (; count > 0; --count) builder.add_terminal(line(i / kLines, i % kLines));
  }
  return std::move(builder).build();
}

Topology deimos_topology() {
  return {
      .name = "deimos",
      .summary = "a fabric like Deimos: three 288-port chassis in a chain, 724 terminals",
      .parameters = {{.name = "pack",
                      .help =
                          "cables to a neighbouring chassis on a line crossbar before the next has its turn",
                      .fallback = "1",
                      .min = 1,
                      .max = kPorts - kSpines}},
      .size =
          [](const Parameters& p) {
            return NetworkSize{kRouters, kChassis * kSpines * kLines + (kChassis - 1) * kTrunk,
                               placement(p).total(std::uint64_t{kChassis} * kLines)};
          },
      .make = [](const Parameters& p) { return deimos(p.number32("pack"), placement(p)); },
      .examples = {"deimos", "deimos:p=8", "deimos:pack=6"},
      .spread = TerminalSpread::as_ports_allow};
}

}  // namespace unknot
