// SPDX-License-Identifier: Apache-2.0
// PolarStar [Lakhotia et al. 2024]: the star product of a polarity graph and a small graph, the supernode.
// Each of the q^2 + q + 1 points becomes a copy of the supernode; where two points are neighbours, vertex x
// of the one with the lower number is joined to vertex f(x) of the other. Diameter 3.
//
// Supernodes, of degree d:
// * iq, the inductive quad: 2 (d + 1) vertices in pairs that f swaps, d = 0 or 3 modulo 4. Between two pairs
// there are four
//   possible edges, of which f leaves two: all of them at one vertex of one pair, so that a pair "wins"
//   against another by one of its vertices. Pairs come in groups of four (for d = 0 modulo 4 there is one
//   before them): pair 0 of a group loses to the others by their first vertices, these win in a circle by
//   their second ones, and all earlier pairs win against the group: by their first vertex against pairs 0 and
//   1, by their second against pairs 2 and 3. Points orthogonal to themselves also join x and f(x) of their
//   own supernode.
// * paley: the Paley graph of a prime power 2 d + 1 = 1 modulo 4, f multiplies by the smallest primitive
// element.
#include <fmt/format.h>

#include <cstdint>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/solve/galois_field.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/graphs/paley_supernode.hpp"
#include "unknot/topology/graphs/polarity_graph.hpp"
#include "unknot/topology/nearest_valid.hpp"
#include "unknot/topology/saturating.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostOrder = 60'000;
constexpr std::uint32_t kMostDegree = 10'000;

Supernode inductive_quad(std::uint32_t degree) {
  const std::uint32_t pairs = degree + 1;
  Supernode node{.vertices = 2 * pairs, .edges = {}, .image = {}, .swaps = true};
  for (std::uint32_t v = 0; v < node.vertices; ++v) node.image.push_back(v ^ 1U);
  const auto win = [&](std::uint32_t winner, std::uint32_t second, std::uint32_t loser) {
    node.edges.emplace_back(2 * winner + second, 2 * loser);
    node.edges.emplace_back(2 * winner + second, 2 * loser + 1);
  };
  for (std::uint32_t group = pairs % 4; group < pairs; group += 4) {
    for (std::uint32_t k = 0; k < 4; ++k) {
      for (std::uint32_t earlier = 0; earlier < group; ++earlier) win(earlier, k / 2, group + k);
    }
    for (std::uint32_t k = 1; k < 4; ++k) {
      win(group + k, 0, group);
      win(group + k % 3 + 1, 1, group + k);
    }
  }
  return node;
}

bool has_inductive_quad(std::uint32_t degree) {
  return degree % 4 == 0 || degree % 4 == 3;
}

struct Shape {
  std::uint32_t q = 0, degree = 0;
  bool paley = false;
};

Shape shape_from(const Parameters& p) {
  return {p.number32("q"), p.number32("d"), p.text("supernode") == "paley"};
}

void refuse_impossible(const Shape& shape) {
  const auto prime_power = [](std::uint32_t v) { return static_cast<bool>(as_prime_power(v)); };
  if (!prime_power(shape.q)) {
    throw InputError(fmt::format("topology polarstar: q must be a prime power, not {}; nearest: {}", shape.q,
                                 nearest_valid("q", shape.q, prime_power)));
  }
  const auto possible = shape.paley ? has_paley_graph : has_inductive_quad;
  if (!possible(shape.degree)) {
    throw InputError(fmt::format("topology polarstar: no supernode {} has degree d={}; nearest: {}",
                                 shape.paley ? "paley" : "iq", shape.degree,
                                 nearest_valid("d", shape.degree, possible)));
  }
}

/// Arithmetic alone: exact where refuse_impossible() has nothing to say.
NetworkSize polarstar_size(const Shape& shape, const TerminalPlacement& terminals) {
  const std::uint64_t q = shape.q;
  const std::uint64_t points = polarity_graph_size(q);
  const std::uint64_t vertices =
      shape.paley ? 2 * std::uint64_t{shape.degree} + 1 : 2 * (std::uint64_t{shape.degree} + 1);
  const std::uint64_t routers = saturating_multiply(points, vertices);
  const std::uint64_t inside = saturating_multiply(points, vertices * shape.degree / 2);
  const std::uint64_t between = saturating_multiply(saturating_multiply(q * (q + 1), q + 1) / 2, vertices);
  const std::uint64_t at_loops = shape.paley ? 0 : (q + 1) * (vertices / 2);
  return {routers, saturating_add(saturating_add(inside, between), at_loops), terminals.total(routers)};
}

Network polarstar(const Shape& shape, const TerminalPlacement& terminals) {
  refuse_impossible(shape);
  const Supernode node = shape.paley ? paley_supernode(shape.degree) : inductive_quad(shape.degree);
  const GaloisField field(shape.q);
  const NetworkSize size = polarstar_size(shape, terminals);
  const auto points = static_cast<std::uint32_t>(polarity_graph_size(shape.q));
  NetworkBuilder builder;
  builder.reserve(size.routers, size.cables, size.terminals);
  builder.add_routers(static_cast<std::uint32_t>(size.routers));
  const auto router = [&](std::uint32_t point, std::uint32_t vertex) {
    return RouterId(point * node.vertices + vertex);
  };
  for (std::uint32_t point = 0; point < points; ++point) {
    for (const auto& [v, w] : node.edges) builder.add_cable(router(point, v), router(point, w));
    for_each_orthogonal_point(field, point, [&](std::uint32_t other) {
      for (std::uint32_t v = 0; v < node.vertices; ++v) {
        if (point < other || (point == other && node.swaps && v < node.image[v]))
          builder.add_cable(router(point, v), router(other, node.image[v]));
      }
    });
  }
  place_terminals(builder, RouterId(0), static_cast<std::uint32_t>(size.routers), terminals);
  return std::move(builder).build();
}

}  // namespace

Topology polarstar_topology() {
  return {.name = "polarstar",
          .summary = "PolarStar of a prime power q and supernodes of degree d, diameter 3",
          .parameters =
              {{.name = "q", .help = "prime power: q^2 + q + 1 supernodes", .min = 2, .max = kMostOrder},
               {.name = "d", .help = "degree of a supernode", .max = kMostDegree},
               {.name = "supernode",
                .kind = ParameterKind::text,
                .help = "inductive quad (2 d + 2 routers) or Paley graph (2 d + 1)",
                .fallback = "iq",
                .choices = {"iq", "paley"}}},
          .size = [](const Parameters& p) { return polarstar_size(shape_from(p), placement_from(p)); },
          .make = [](const Parameters& p) { return polarstar(shape_from(p), placement_from(p)); },
          .examples = {"polarstar:q=2,d=3", "polarstar:q=3,d=0,p=2", "polarstar:q=3,d=2,supernode=paley"}};
}

}  // namespace unknot
