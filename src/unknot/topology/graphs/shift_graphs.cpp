// SPDX-License-Identifier: Apache-2.0
// Graphs of words: routers are words of n letters, with an arc for each left shift, in lexicographic order of
// the words. Each arc is a cable, or with `oriented` a one-way channel; the two arcs of a two-cycle are two
// parallel cables.
#include <cstdint>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/network/network.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/saturating.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

struct ShiftGraph {
  std::uint32_t b = 2;  // arcs that leave a word
  std::uint32_t n = 2;  // letters in a word
  bool oriented = false;
};

constexpr std::uint32_t kMaxWord = 64;

ShiftGraph graph_from(const Parameters& p) {
  return {p.number32("b"), p.number32("n"), p.flag("oriented")};
}

std::vector<Parameter> shift_parameters(const char* letters, double least) {
  return {
      {.name = "b", .help = letters, .min = least},
      {.name = "n", .help = "letters in a word, the diameter", .min = 1, .max = kMaxWord},
      {.name = "oriented", .kind = ParameterKind::flag, .help = "arcs as one-way channels", .fallback = "0"}};
}

/// `next(word, i)`: where the i-th arc of a word leads; the word itself for a loop, which is dropped.
template <class Next>
Network make_shift_graph(const ShiftGraph& graph, const NetworkSize& size, const TerminalPlacement& terminals,
                         const Next& next) {
  const auto routers = static_cast<std::uint32_t>(size.routers);
  NetworkBuilder builder;
  builder.reserve(routers, size.cables, size.terminals);
  builder.add_routers(routers);
  for (std::uint32_t word = 0; word < routers; ++word) {
    for (std::uint32_t i = 0; i < graph.b; ++i) {
      const std::uint32_t to = next(word, i);
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

NetworkSize kautz_size(const ShiftGraph& graph, const TerminalPlacement& terminals) {
  const std::uint64_t routers =
      saturating_multiply(saturating_power(graph.b, graph.n - 1), std::uint64_t{graph.b} + 1);
  return {routers, saturating_multiply(routers, graph.b), terminals.total(routers)};
}

/// Letter of rank `rank` among the letters other than `previous`.
std::uint32_t letter(std::uint32_t previous, std::uint32_t rank) {
  return rank < previous ? rank : rank + 1;
}

Network kautz(const ShiftGraph& graph, const TerminalPlacement& terminals) {
  const NetworkSize size = kautz_size(graph, terminals);
  const std::uint32_t b = graph.b;
  // A word's number is its first letter, then the rank of each letter among those its predecessor allows, in
  // base b: lexicographic order without gaps. The shift drops the first letter and keeps all ranks but one.
  const auto lead =
      static_cast<std::uint32_t>(size.routers / (std::uint64_t{b} + 1));  // weight of the first letter
  return make_shift_graph(graph, size, terminals, [&](std::uint32_t word, std::uint32_t rank) {
    const std::uint32_t first = word / lead;
    const std::uint32_t ranks = word % lead;
    if (graph.n == 1) return letter(first, rank);
    const std::uint32_t second = letter(first, ranks / (lead / b));
    return second * lead + ranks % (lead / b) * b + rank;
  });
}

NetworkSize debruijn_size(const ShiftGraph& graph, const TerminalPlacement& terminals) {
  const std::uint64_t routers = saturating_power(graph.b, graph.n);
  return {routers, saturating_multiply(routers, graph.b) - graph.b, terminals.total(routers)};
}

Network debruijn(const ShiftGraph& graph, const TerminalPlacement& terminals) {
  const NetworkSize size = debruijn_size(graph, terminals);
  return make_shift_graph(graph, size, terminals, [&](std::uint32_t word, std::uint32_t last) {
    return static_cast<std::uint32_t>((std::uint64_t{word} * graph.b + last) % size.routers);
  });
}

}  // namespace

// Kautz graph K(b, n): words over b+1 letters without equal neighbours: b^n + b^(n-1) routers, out- and
// in-degree b, diameter n. [Li, Lu, Su 2004]
Topology kautz_topology() {
  return {.name = "kautz",
          .summary = "Kautz graph, b^n + b^(n-1) routers of diameter n, a cable for each arc",
          .parameters = shift_parameters("out-degree (letters minus one)", 1),
          .size = [](const Parameters& p) { return kautz_size(graph_from(p), placement_from(p)); },
          .make = [](const Parameters& p) { return kautz(graph_from(p), placement_from(p)); },
          .examples = {"kautz:b=2,n=2", "kautz:b=3,n=3,terminals=50", "kautz:b=4,n=1", "kautz:b=1,n=3",
                       "kautz:b=2,n=3,oriented=1"}};
}

// De Bruijn graph B(b, n): words over b letters: b^n routers, diameter n. The b loops (words of one letter)
// are dropped: b^(n+1) - b arcs. [de Bruijn 1946]
Topology debruijn_topology() {
  return {.name = "debruijn",
          .summary = "de Bruijn graph, b^n routers of diameter n, a cable for each arc but loops",
          .parameters = shift_parameters("letters", 2),
          .size = [](const Parameters& p) { return debruijn_size(graph_from(p), placement_from(p)); },
          .make = [](const Parameters& p) { return debruijn(graph_from(p), placement_from(p)); },
          .examples = {"debruijn:b=2,n=4", "debruijn:b=3,n=2,p=2", "debruijn:b=2,n=1",
                       "debruijn:b=2,n=4,oriented=1"}};
}

}  // namespace unknot
