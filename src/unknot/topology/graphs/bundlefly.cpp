// SPDX-License-Identifier: Apache-2.0
// Bundlefly [Lei, Dong, Liao, Duato 2020]: the star product of a Slim Fly and a Paley graph. Each of the 2
// q^2 routers of the Slim Fly becomes a copy of the Paley graph of 2 d + 1 vertices; where two were
// neighbours, vertex x of the one with the lower number is joined to vertex f(x) of the other: a bundle of
// cables, or one fibre of many cores. Router x of copy i is number i (2 d + 1) + x. Degree (3 q - delta)/2 +
// d, diameter 3.
#include <fmt/format.h>

#include <cstdint>
#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/solve/galois_field.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/graphs/paley_supernode.hpp"
#include "unknot/topology/graphs/slimfly.hpp"
#include "unknot/topology/nearest_valid.hpp"
#include "unknot/topology/saturating.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostBundleflyOrder = 30'000;
constexpr std::uint32_t kMostBundleflyDegree = 10'000;

/// Arithmetic alone.
NetworkSize bundlefly_size(std::uint64_t q, std::uint64_t d, const TerminalPlacement& terminals) {
  const std::uint64_t copies = 2 * q * q;
  const std::uint64_t vertices = 2 * d + 1;
  const std::uint64_t routers = saturating_multiply(copies, vertices);
  const std::uint64_t degree = slimfly_degree(static_cast<std::uint32_t>(q)) + d;
  return {routers, saturating_multiply(routers / 2, degree), terminals.total(routers)};
}

Network bundlefly(std::uint32_t q, std::uint32_t d, const TerminalPlacement& terminals) {
  const auto is_order = [](std::uint32_t v) { return v != 2 && as_prime_power(v); };
  if (!is_order(q)) {
    throw InputError(
        fmt::format("topology bundlefly: q must be a prime power other than 2, not {}; nearest: {}", q,
                    nearest_valid("q", q, is_order)));
  }
  if (!has_paley_graph(d)) {
    throw InputError(fmt::format("topology bundlefly: no Paley graph has degree d={}; nearest: {}", d,
                                 nearest_valid("d", d, has_paley_graph)));
  }
  const Network fly = slimfly({q}, TerminalPlacement::each(0));
  const Supernode node = paley_supernode(d);
  const NetworkSize size = bundlefly_size(q, d, terminals);
  NetworkBuilder builder;
  builder.reserve(size.routers, size.cables, size.terminals);
  builder.add_routers(static_cast<std::uint32_t>(size.routers));
  const auto router = [&](RouterId copy, std::uint32_t vertex) {
    return RouterId(copy.value * node.vertices + vertex);
  };
  for (const RouterId copy : fly.routers()) {
    for (const auto& [v, w] : node.edges) builder.add_cable(router(copy, v), router(copy, w));
    for (const ChannelId c : fly.out(copy)) {
      if (fly.target(c) < copy) continue;
      for (std::uint32_t v = 0; v < node.vertices; ++v)
        builder.add_cable(router(copy, v), router(fly.target(c), node.image[v]));
    }
  }
  place_terminals(builder, RouterId(0), static_cast<std::uint32_t>(size.routers), terminals);
  return std::move(builder).build();
}

}  // namespace

Topology bundlefly_topology() {
  return {
      .name = "bundlefly",
      .summary =
          "Bundlefly: Slim Fly of a prime power q whose routers are Paley graphs of degree d, diameter 3",
      .parameters = {{.name = "q",
                      .help = "prime power other than 2: 2 q^2 groups",
                      .min = 2,
                      .max = kMostBundleflyOrder},
                     {.name = "d",
                      .help = "degree of a group, 2 d + 1 a prime power and 1 modulo 4",
                      .min = 1,
                      .max = kMostBundleflyDegree}},
      .size =
          [](const Parameters& p) { return bundlefly_size(p.number("q"), p.number("d"), placement_from(p)); },
      .make =
          [](const Parameters& p) { return bundlefly(p.number32("q"), p.number32("d"), placement_from(p)); },
      .examples = {"bundlefly:q=3,d=2", "bundlefly:q=3,d=2,p=2", "bundlefly:q=4,d=2"}};
}

}  // namespace unknot
