// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/solve/galois_field.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/graphs/polarity_graph.hpp"
#include "unknot/topology/nearest_valid.hpp"
#include "unknot/topology/saturating.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

NetworkSize polarfly_size(std::uint64_t q, const TerminalPlacement& terminals) {
  const std::uint64_t routers = polarity_graph_size(q);
  return {routers, saturating_multiply(q * (q + 1), q + 1) / 2, terminals.total(routers)};
}

Network polarfly(std::uint32_t q, const TerminalPlacement& terminals) {
  const GaloisField field(q);
  const NetworkSize size = polarfly_size(q, terminals);
  NetworkBuilder builder;
  builder.reserve(size.routers, size.cables, size.terminals);
  const auto routers = static_cast<std::uint32_t>(size.routers);
  builder.add_routers(routers);
  for (std::uint32_t r = 0; r < routers; ++r) {  // each cable is laid from its lower end
    for_each_orthogonal_point(field, r, [&](std::uint32_t far) {
      if (r < far) builder.add_cable(RouterId(r), RouterId(far));
    });
  }
  place_terminals(builder, RouterId(0), routers, terminals);
  return std::move(builder).build();
}

}  // namespace

// PolarFly: the polarity graph of a prime power q. q + 1 routers, orthogonal to themselves, have q cables,
// the others q + 1. Diameter 2, any two routers at distance two share one neighbour. [Lakhotia et al. 2022]
Topology polarfly_topology() {
  return {
      .name = "polarfly",
      .summary = "PolarFly of a prime power q, q^2 + q + 1 routers of diameter 2",
      .parameters = {{.name = "q", .help = "prime power", .min = 2, .max = 60'000}},
      .size = [](const Parameters& p) { return polarfly_size(p.number("q"), placement_from(p)); },
      .make =
          [](const Parameters& p) {
            const std::uint32_t q = p.number32("q");
            const auto valid = [](std::uint32_t v) { return static_cast<bool>(as_prime_power(v)); };
            if (!valid(q)) {
              throw InputError(fmt::format("topology polarfly: q must be a prime power, not {}; nearest: {}",
                                           q, nearest_valid("q", q, valid)));
            }
            return polarfly(q, placement_from(p));
          },
      .examples = {"polarfly:q=3,p=2", "polarfly:q=4,p=1"}};
}

}  // namespace unknot
