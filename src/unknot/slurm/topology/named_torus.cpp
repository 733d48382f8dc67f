// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "unknot/network/bfs.hpp"
#include "unknot/place/places.hpp"
#include "unknot/slurm/topology/host_leaves.hpp"
#include "unknot/slurm/topology/topology_types.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/text/scanner.hpp"

namespace unknot::slurm {

NamedTorus named(const Network& network, const Torus& torus, const std::vector<CubeShape>& shapes) {
  NamedTorus made;
  made.name = "torus";
  made.dims = torus.dims;
  for (const TerminalId t : torus.node) {
    made.nodes.push_back(t.valid() ? place::host_name(network, t) : "");
    if (t.valid()) require_node_name(made.nodes.back());
  }
  for (const CubeShape& shape : shapes)
    made.placements.push_back({.dims = shape.dims, .spacing = shape.dims});
  return made;
}

Torus torus_on(const Network& network, const NamedTorus& named) {
  std::map<std::string, TerminalId> terminal;
  for (const TerminalId t : network.terminals()) terminal.emplace(place::host_name(network, t), t);
  Torus torus;
  torus.dims = named.dims;
  torus.ring = possible_rings(named.dims);
  for (std::uint32_t d = 0; d < 3; ++d) {
    torus.forth[d].assign(torus.places(), 1);
    for (std::uint32_t p = 0; p < torus.places(); ++p)
      if (torus.at(p)[d] + 1 == torus.dims[d] && !torus.ring[d]) torus.forth[d][p] = 0;
    torus.back[d] = torus.forth[d];
  }
  for (const std::string& node : named.nodes) {
    if (node.empty()) {
      torus.node.emplace_back();
      continue;
    }
    const auto found = terminal.find(node);
    if (found == terminal.end())
      throw InputError(fmt::format("the torus has a node {}, and the fabric has none", shown(node)));
    torus.node.push_back(found->second);
    terminal.erase(found);
  }
  if (!terminal.empty()) {
    throw InputError(
        fmt::format("the fabric has a host {}, and the torus has none", shown(terminal.begin()->first)));
  }
  return torus;
}

double torus_error(const Network& network, const Torus& torus) {
  BreadthFirstSearch search(network);
  double squares = 0, pairs = 0;
  for (std::uint32_t a = 0; a < torus.places(); ++a) {
    if (!torus.node[a].valid()) continue;
    const RouterId from = network.router_of(torus.node[a]);
    const std::span<const std::uint32_t> hops = search.from(from);
    const Extents here = torus.at(a);
    for (std::uint32_t b = a + 1; b < torus.places(); ++b) {
      if (!torus.node[b].valid()) continue;
      const std::uint32_t d = hops[network.router_of(torus.node[b]).value];
      if (d == BreadthFirstSearch::kUnreached) {
        throw InputError(fmt::format("there is no path from {} to {}", network.terminal_name(torus.node[a]),
                                     network.terminal_name(torus.node[b])));
      }
      const Extents there = torus.at(b);
      double expected = 0;
      for (std::uint32_t i = 0; i < 3; ++i) {
        const std::uint32_t apart = std::max(here[i], there[i]) - std::min(here[i], there[i]);
        expected += torus.ring[i] ? std::min(apart, torus.dims[i] - apart) : apart;
      }
      squares += (d - expected) * (d - expected);
      ++pairs;
    }
  }
  return pairs == 0 ? 0 : std::sqrt(squares / pairs);
}

}  // namespace unknot::slurm
