// SPDX-License-Identifier: Apache-2.0
#include <cstdint>
#include <utility>

#include "unknot/network/builder.hpp"
#include "unknot/network/network.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/saturating.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

// Kautz graph K(b, n): routers are the words of length n over b+1 letters without equal neighbours, with an
// arc for each left shift: b^n + b^(n-1) routers, out- and in-degree b, diameter n. [Li, Lu, Su 2004]
struct KautzParams {
  std::uint32_t b = 2;    // out-degree: letters minus one
  std::uint32_t n = 2;    // letters in a word
  bool oriented = false;  // arcs as one-way channels; else each arc is a cable
};

constexpr std::uint32_t kMaxWord = 64;

KautzParams params_from(const Parameters& p) {
  return {p.number32("b"), p.number32("n"), p.flag("oriented")};
}

NetworkSize kautz_size(const KautzParams& graph, const TerminalPlacement& terminals) {
  const std::uint64_t routers =
      saturating_multiply(saturating_power(graph.b, graph.n - 1), std::uint64_t{graph.b} + 1);
  return {routers, saturating_multiply(routers, graph.b), terminals.total(routers)};
}

/// Letter of rank `rank` among the letters other than `previous`.
std::uint32_t letter(std::uint32_t previous, std::uint32_t rank) {
  return rank < previous ? rank : rank + 1;
}

}  // namespace

// With cables, the two arcs of a two-cycle are two parallel cables. Routers in lexicographic order of words.
static Network kautz(const KautzParams& graph, const TerminalPlacement& terminals) {
  const NetworkSize size = kautz_size(graph, terminals);
  const auto routers = static_cast<std::uint32_t>(size.routers);
  NetworkBuilder builder;
  builder.reserve(routers, size.cables, size.terminals);
  builder.add_routers(routers);
  const std::uint32_t b = graph.b;
  // A word's number is its first letter, then the rank of each letter among those its predecessor allows, in
  // base b: lexicographic order without gaps. The shift drops the first letter and keeps all ranks but one.
  const std::uint32_t lead = routers / (b + 1);  // weight of the first letter: b^(n-1)
  for (std::uint32_t word = 0; word < routers; ++word) {
    const std::uint32_t first = word / lead;
    const std::uint32_t ranks = word % lead;
    for (std::uint32_t rank = 0; rank < b; ++rank) {
      std::uint32_t to = 0;
      if (graph.n == 1) {
        to = letter(first, rank);
      } else {
        const std::uint32_t second = letter(first, ranks / (lead / b));
        to = second * lead + ranks % (lead / b) * b + rank;
      }
      if (graph.oriented) {
        builder.add_channel(RouterId(word), RouterId(to));
      } else {
        builder.add_cable(RouterId(word), RouterId(to));
      }
    }
  }
  place_terminals(builder, RouterId(0), routers, terminals);
  return std::move(builder).build();
}

Topology kautz_topology() {
  return {.name = "kautz",
          .summary = "Kautz graph, b^n + b^(n-1) routers of diameter n, a cable for each arc",
          .parameters = {{.name = "b", .help = "out-degree (letters minus one)", .min = 1},
                         {.name = "n", .help = "letters in a word, the diameter", .min = 1, .max = kMaxWord},
                         {.name = "oriented",
                          .kind = ParameterKind::flag,
                          .help = "arcs as one-way channels",
                          .fallback = "0"}},
          .size = [](const Parameters& p) { return kautz_size(params_from(p), placement_from(p)); },
          .make = [](const Parameters& p) { return kautz(params_from(p), placement_from(p)); },
          .examples = {"kautz:b=2,n=2", "kautz:b=3,n=3,terminals=50", "kautz:b=4,n=1", "kautz:b=1,n=3",
                       "kautz:b=2,n=3,oriented=1"}};
}

}  // namespace unknot
