// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <set>
#include <span>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/nearest_valid.hpp"
#include "unknot/topology/saturating.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

void check_jumps(const char* family, std::uint32_t routers, std::span<const std::uint32_t> jumps) {
  std::set<std::uint32_t> seen;
  std::uint32_t common = routers;
  for (const std::uint32_t jump : jumps) {
    if (jump > routers / 2) {
      throw InputError(
          fmt::format("topology {}: jump {} is more than half of {} routers", family, jump, routers));
    }
    if (!seen.insert(jump).second) {
      throw InputError(fmt::format("topology {}: jump {} is given twice", family, jump));
    }
    common = std::gcd(common, jump);
  }
  if (common != 1) {
    throw InputError(
        fmt::format("topology {}: the jumps and {} routers have the divisor {} in common: no path "
                    "leads to every router",
                    family, routers, common));
  }
}

NetworkSize circulant_size(std::uint32_t routers, std::span<const std::uint32_t> jumps,
                           const TerminalPlacement& terminals) {
  std::uint64_t cables = 0;
  for (const std::uint32_t jump : jumps) {
    cables = saturating_add(cables, routers % 2 == 0 && jump == routers / 2 ? routers / 2 : routers);
  }
  return {routers, cables, terminals.total(routers)};
}

std::vector<std::uint32_t> kring_jumps(const Parameters& p) {
  if (p.has("jumps")) return p.list("jumps");
  const std::uint32_t n = p.number32("n");
  for (std::uint32_t jump = 2; jump < n - jump; ++jump) {
    if (std::gcd(jump, n) == 1) return {1, jump};
  }
  const auto valid = [](std::uint32_t v) { return v >= 5 && v != 6; };
  throw InputError(fmt::format("topology kring: {} routers have no second ring; give jumps, or take {}", n,
                               nearest_valid("n", n, valid)));
}

std::vector<std::uint32_t> midimew_jumps(std::uint32_t routers) {
  std::uint32_t b = 1;
  while (std::uint64_t{2} * b * b < routers) ++b;
  if (2 * b * b == routers) return {1, 2 * b - 1};
  return {b - 1, b};
}

std::vector<std::uint32_t> spidergon_jumps(std::uint32_t routers) {
  if (routers % 2 != 0) {
    throw InputError(
        fmt::format("topology spidergon: the number of routers must be even, not {}; nearest: {}", routers,
                    nearest_valid("n", routers, [](std::uint32_t v) { return v >= 4 && v % 2 == 0; })));
  }
  return {1, routers / 2};
}

/// Row of a family whose jumps follow from its parameters.
template <class Jumps>
Topology circulant_row(const char* name, const char* summary, std::uint32_t least, const Jumps& jumps_of,
                       const std::vector<std::string>& examples) {
  return {.name = name,
          .summary = summary,
          .parameters = {{.name = "n", .help = "routers", .min = static_cast<double>(least)}},
          .size =
              [=](const Parameters& p) {
                return circulant_size(p.number32("n"), jumps_of(p), placement_from(p));
              },
          .make =
              [=](const Parameters& p) {
                return circulant(name, p.number32("n"), jumps_of(p), placement_from(p));
              },
          .examples = examples};
}

}  // namespace

// Circulant graph: a cable from router i to i + j (mod n) for each jump j, two for each router; a jump of
// n/2 has one. Port 2k-1 leads along the k-th jump, port 2k against it; terminals follow. Jumps are at least
// 1 and at most n/2, all different, and without a divisor in common with each other and n (else the graph
// falls apart); InputError otherwise. `family` names the row in messages.
static Network circulant(const char* family, std::uint32_t routers, std::span<const std::uint32_t> jumps,
                         const TerminalPlacement& terminals) {
  check_jumps(family, routers, jumps);
  const NetworkSize size = circulant_size(routers, jumps, terminals);
  NetworkBuilder builder;
  builder.reserve(size.routers, size.cables, size.terminals);
  builder.add_routers(routers);
  std::uint16_t port = 1;
  for (const std::uint32_t jump : jumps) {
    const bool opposite = routers % 2 == 0 && jump == routers / 2;
    const auto back = static_cast<std::uint16_t>(opposite ? port : port + 1);
    for (std::uint32_t r = 0; r < (opposite ? routers / 2 : routers); ++r) {
      const auto to = static_cast<std::uint32_t>((std::uint64_t{r} + jump) % routers);
      builder.add_cable(RouterId(r), port, RouterId(to), back);
    }
    port = static_cast<std::uint16_t>(back + 1);
  }
  place_terminals(builder, RouterId(0), routers, terminals, port);
  return std::move(builder).build();
}

// K-ring: rings of the given jumps over the same routers. Without jumps, two rings: 1 and the least jump
// above it that visits every router. [Kuonen, HPC'99]
Topology kring_topology() {
  Topology row = circulant_row("kring", "K-ring: rings of several jumps over the same routers", 2,
                               kring_jumps, {"kring:8", "kring:8,jumps=1x2", "kring:15,jumps=1x4x7"});
  row.parameters.push_back({.name = "jumps",
                            .kind = ParameterKind::list,
                            .help = "jump of each ring; 1 and the least other that visits all by default",
                            .fallback = "",
                            .min = 1});
  return row;
}

// Any circulant.
Topology circulant_topology() {
  Topology row =
      circulant_row("circulant", "circulant graph: cables from each router to those at given jumps", 2,
                    [](const Parameters& p) { return p.list("jumps"); },
                    {"circulant:n=8,jumps=1x3", "circulant:n=10,jumps=2x5,p=2"});
  row.parameters.push_back(
      {.name = "jumps", .kind = ParameterKind::list, .help = "distances of neighbours, as 1x3", .min = 1});
  return row;
}

// Midimew: of all circulants of degree 4 the least diameter and mean distance: 4d routers at each distance d
// below the diameter. Jumps b-1 and b for b = ceil(sqrt(n/2)); jumps 1 and 2b-1, as good, where n = 2b^2 (8,
// 18, 32, ...). [Beivide, Herrada, Balcazar, Arruabarrena 1991]
Topology midimew_topology() {
  return circulant_row("midimew", "circulant of degree 4 with the least mean distance", 5,
                       [](const Parameters& p) { return midimew_jumps(p.number32("n")); },
                       {"midimew:8", "midimew:13", "midimew:21,p=2"});
}

// Spidergon (of 8 routers: octagon): a ring with cables between opposite routers. [Karim, Nguyen, Dey 2002]
Topology spidergon_topology() {
  return circulant_row("spidergon", "ring of an even number of routers, opposite ones joined", 4,
                       [](const Parameters& p) { return spidergon_jumps(p.number32("n")); },
                       {"spidergon:8", "spidergon:14,p=2", "spidergon:4"});
}

}  // namespace unknot
