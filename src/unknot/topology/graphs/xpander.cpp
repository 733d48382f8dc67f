// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <numeric>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/graphs/random_links.hpp"
#include "unknot/topology/saturating.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kAttempts = 100;

struct Shape {
  std::uint32_t degree, lift;
  std::uint64_t seed;
};

NetworkSize size_of(const Shape& shape, const TerminalPlacement& terminals) {
  const std::uint64_t meta_nodes = std::uint64_t{shape.degree} + 1;
  const std::uint64_t routers = saturating_multiply(meta_nodes, shape.lift);
  return {routers, saturating_multiply(meta_nodes * shape.degree / 2, shape.lift), terminals.total(routers)};
}

Network make(const Shape& shape, const TerminalPlacement& terminals) {
  const NetworkSize size = size_of(shape, terminals);
  const auto routers = static_cast<std::uint32_t>(size.routers);
  if (shape.degree == 1 && shape.lift > 1) {
    throw InputError(fmt::format("topology xpander: {} routers of degree 1 cannot be connected", routers));
  }
  for (std::uint32_t attempt = 0; attempt < kAttempts; ++attempt) {
    Random random(shape.seed, attempt);
    NetworkBuilder builder;
    builder.reserve(size.routers, size.cables, size.terminals);
    builder.add_routers(routers);
    RouterSets sets(routers);
    std::vector<std::uint32_t> match(shape.lift);
    for (std::uint32_t a = 0; a <= shape.degree; ++a) {
      for (std::uint32_t b = a + 1; b <= shape.degree; ++b) {
        std::iota(match.begin(), match.end(), 0U);
        random.shuffle(match);
        for (std::uint32_t i = 0; i < shape.lift; ++i) {
          builder.add_cable(RouterId(a * shape.lift + i), RouterId(b * shape.lift + match[i]));
          sets.merge(a * shape.lift + i, b * shape.lift + match[i]);
        }
      }
    }
    if (sets.count() > 1) continue;
    place_terminals(builder, RouterId(0), routers, terminals);
    return std::move(builder).build();
  }
  throw InputError(
      fmt::format("topology xpander: found no connected lift of degree {} and size {} with seed {}",
                  shape.degree, shape.lift, shape.seed));
}

Shape shape_from(const Parameters& p) {
  return {p.number32("degree"), p.number32("lift"), p.number("seed")};
}

}  // namespace

// Xpander: a random lift of the complete graph of degree + 1 meta-nodes. Each is `lift` routers, and a
// random perfect matching joins the routers of any two. Router i of meta-node m is number m lift + i. A draw
// that is not connected is repeated. [Valadarsky, Shahaf, Dinitz, Schapira 2016]
Topology xpander_topology() {
  return {.name = "xpander",
          .summary = "Xpander, a random lift of a complete graph",
          .parameters = {{.name = "degree",
                          .help = "cables of a router; degree + 1 meta-nodes",
                          .min = 1,
                          .max = 60'000},
                         {.name = "lift", .help = "routers of a meta-node", .min = 1},
                         {.name = "seed", .help = "of the random matchings", .fallback = "1"}},
          .size = [](const Parameters& p) { return size_of(shape_from(p), placement_from(p)); },
          .make = [](const Parameters& p) { return make(shape_from(p), placement_from(p)); },
          .examples = {"xpander:degree=3,lift=4", "xpander:degree=4,lift=3,p=2,seed=7"}};
}

}  // namespace unknot
