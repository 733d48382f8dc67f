// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/orders/cover_dag.hpp"

namespace unknot {

std::vector<CoverDag> cover_dags(const Network& network, PathDags& dags, std::vector<std::uint16_t>* level) {
  const std::vector<std::uint32_t> first_turn = first_turns(network);
  std::vector<CoverDag> result;
  std::vector<std::uint16_t> hops(network.router_count());
  for (const RouterId root : network.routers()) {
    if (network.terminals_at(root).empty()) continue;
    const PathDag& dag = dags.towards(root);
    CoverDag& cover = result.emplace_back();
    cover.root = root.value;
    cover.order = dag.order;
    cover.first = dag.first;
    cover.to.assign(dag.to.begin(), dag.to.begin() + dag.first.back());
    cover.turn.reserve(cover.to.size());
    cover.entry.reserve(cover.to.size());
    hops.assign(hops.size(), 0xFFFF);
    hops[root.value] = 0;
    cover.level = {0};
    for (std::uint32_t i = 0; i < dag.positions(); ++i) {
      const std::uint32_t router = dag.order[i];
      const std::uint32_t distance = hops[dag.to[dag.first[i]]] + 1U;
      hops[router] = static_cast<std::uint16_t>(distance);
      if (cover.level.size() <= distance) cover.level.push_back(i);
      const std::uint32_t first_out = network.out(RouterId(router)).first();
      for (std::uint32_t c = dag.first[i]; c < dag.first[i + 1]; ++c) {
        cover.turn.push_back(first_turn[dag.channel[c]]);
        cover.entry.push_back(static_cast<std::uint16_t>(dag.channel[c] - first_out));
      }
    }
    cover.level.push_back(dag.positions());
    if (level != nullptr) level->insert(level->end(), hops.begin(), hops.end());
  }
  return result;
}

}  // namespace unknot
