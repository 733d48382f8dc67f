// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/priced/priced_tree.hpp"

#include <algorithm>

namespace unknot {

std::vector<ArcLoad> loads_of(const NodeGraph& graph, const PricedTree& tree) {
  std::vector<std::uint32_t> arcs;
  for (const std::vector<PricedTree::Way>* ways : {&tree.inward, &tree.outward}) {
    for (const PricedTree::Way& way : *ways) {
      for (std::size_t i = 0; i + 1 < way.size(); ++i) arcs.push_back(graph.find(way[i], way[i + 1]).value);
    }
  }
  std::sort(arcs.begin(), arcs.end());
  std::vector<ArcLoad> loads;
  for (const std::uint32_t a : arcs) {
    if (loads.empty() || loads.back().first != a) loads.emplace_back(a, 0);
    ++loads.back().second;
  }
  return loads;
}

}  // namespace unknot
