// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include "unknot/support/error.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/power_of_two.hpp"
#include "unknot/topology/trees/xgft.hpp"

namespace unknot {
namespace {

XgftParams two_levels(std::uint32_t radix) {
  return {{radix}, {radix / 2}};
}

XgftParams three_levels(std::uint32_t radix) {
  return {{radix / 2, radix}, {radix / 2, radix / 2}};
}

XgftParams folded_butterfly(const Parameters& p) {
  const std::vector<std::uint32_t> radices(log2_terminals("fattree", p.number32("n")) - 1, 2);
  return {radices, radices};
}

Topology fat_tree(const char* name, const char* summary, XgftParams (*shape)(std::uint32_t),
                  std::vector<std::string> examples) {
  const auto placement = [](const Parameters& p) { return placement_from(p, p.number32("radix") / 2); };
  return {.name = name,
          .summary = summary,
          .parameters = {{.name = "radix", .help = "ports of a router, even", .min = 2, .max = 60'000}},
          .size = [=](const Parameters& p) { return xgft_size(shape(p.number32("radix")), placement(p)); },
          .make =
              [=](const Parameters& p) {
                const std::uint32_t radix = p.number32("radix");
                if (radix % 2 != 0) {
                  throw InputError(fmt::format(
                      "topology {}: the radix must be even, not {}; nearest: radix={} or radix={}", name,
                      radix, radix - 1, radix + 1));
                }
                return xgft(shape(radix), placement(p));
              },
          .examples = std::move(examples),
          .known_cut =
              [=](const Parameters& p) {
                // half of the cables of the top level, which has as many as every other
                const XgftParams tree = shape(p.number32("radix"));
                double leaves = 1;
                for (const std::uint32_t children : tree.m) leaves *= children;
                return std::optional(leaves * tree.w.front() / 2);
              }};
}

}  // namespace

// Full-bisection fat trees of routers of one radix, r even. Two levels: r leaves with r/2 terminals each and
// r/2 spines, r^2/2 terminals. Three levels: r pods of r/2 leaves and r/2 routers above them, r^2/4 cores,
// r^3/4 terminals. Numbered as an XGFT. [Leiserson 1985; Al-Fares, Loukissas, Vahdat 2008]
Topology fattree2_topology() {
  return fat_tree("fattree2", "fat tree of two levels, r^2/2 terminals by default", two_levels,
                  {"fattree2:4", "fattree2:6,p=1"});
}

Topology fattree3_topology() {
  return fat_tree("fattree3", "fat tree of three levels, r^3/4 terminals by default", three_levels,
                  {"fattree3:4"});
}

// Butterfly folded onto itself: log2 N levels of N/2 routers with two cables down and, below the top, two
// up; N terminals. The 2-ary n-tree under another name. [Leiserson 1985; Petrini, Vanneschi 1997]
Topology fattree_topology() {
  return {.name = "fattree",
          .summary = "folded butterfly, log2 N levels of N/2 switches; two terminals on each lowest switch",
          .parameters = {{.name = "n", .help = "terminals, a power of two", .min = 2}},
          .size = [](const Parameters& p) { return xgft_size(folded_butterfly(p), placement_from(p, 2)); },
          .make = [](const Parameters& p) { return xgft(folded_butterfly(p), placement_from(p, 2)); },
          .examples = {"fattree:8", "fattree:16,p=1", "fattree:2"},
          .known_cut =
              [](const Parameters& p) {
                const std::uint32_t terminals = p.number32("n");
                return terminals > 2 ? std::optional(terminals / 2.0) : std::nullopt;
              }};
}

}  // namespace unknot
