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

// De Bruijn graph B(b, n): routers are the words of length n over b letters, with an arc for each left
// shift: b^n routers, diameter n. The b loops (words of one letter) are dropped: b^(n+1) - b arcs. [de
// Bruijn 1946]
struct DeBruijnParams {
  std::uint32_t b = 2;    // letters
  std::uint32_t n = 2;    // letters in a word
  bool oriented = false;  // arcs as one-way channels; else each arc is a cable
};

constexpr std::uint32_t kMaxWord = 64;

DeBruijnParams params_from(const Parameters& p) {
  return {p.number32("b"), p.number32("n"), p.flag("oriented")};
}

NetworkSize debruijn_size(const DeBruijnParams& graph, const TerminalPlacement& terminals) {
  const std::uint64_t routers = saturating_power(graph.b, graph.n);
  return {routers, saturating_multiply(routers, graph.b) - graph.b, terminals.total(routers)};
}

}  // namespace

// With cables, the two arcs of a two-cycle are two parallel cables. Routers in lexicographic order of words.
static Network debruijn(const DeBruijnParams& graph, const TerminalPlacement& terminals) {
  const NetworkSize size = debruijn_size(graph, terminals);
  const auto routers = static_cast<std::uint32_t>(size.routers);
  NetworkBuilder builder;
  builder.reserve(routers, size.cables, size.terminals);
  builder.add_routers(routers);
  for (std::uint32_t word = 0; word < routers; ++word) {
    for (std::uint32_t last = 0; last < graph.b; ++last) {
      const auto to = static_cast<std::uint32_t>((std::uint64_t{word} * graph.b + last) % routers);
      if (to == word) continue;
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

Topology debruijn_topology() {
  return {.name = "debruijn",
          .summary = "de Bruijn graph, b^n routers of diameter n, a cable for each arc but loops",
          .parameters = {{.name = "b", .help = "letters", .min = 2},
                         {.name = "n", .help = "letters in a word, the diameter", .min = 1, .max = kMaxWord},
                         {.name = "oriented",
                          .kind = ParameterKind::flag,
                          .help = "arcs as one-way channels",
                          .fallback = "0"}},
          .size = [](const Parameters& p) { return debruijn_size(params_from(p), placement_from(p)); },
          .make = [](const Parameters& p) { return debruijn(params_from(p), placement_from(p)); },
          .examples = {"debruijn:b=2,n=4", "debruijn:b=3,n=2,p=2", "debruijn:b=2,n=1",
                       "debruijn:b=2,n=4,oriented=1"}};
}

}  // namespace unknot
