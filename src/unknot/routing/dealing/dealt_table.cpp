// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/dealing/dealt_table.hpp"

#include <numeric>
#include <vector>

#include "unknot/routing/dealing/leaf_groups.hpp"
#include "unknot/routing/dealing/path_weights.hpp"
#include "unknot/routing/dealing/row_filler.hpp"
#include "unknot/routing/up_down/level_order.hpp"

namespace unknot {

ForwardingTable dealt_table(const LiveNetwork& network, const LegalReach& reach, std::uint32_t threads,
                            Progress& progress) {
  const std::uint32_t routers = network.router_count();
  UpDownOrder flat{.place = std::vector<std::uint32_t>(routers, 0),
                   .top_down = std::vector<std::uint32_t>(routers)};
  std::iota(flat.top_down.begin(), flat.top_down.end(), 0U);
  // Where there are levels, what a router gets from one of them must not lie together on the next, and
  // routers below the same ones must not all send alike.
  const std::vector<std::uint32_t> height = heights_above_terminals(network);
  LeafGroups groups = one_group(network, height);
  if (joins_neighbouring_heights(network, height))
    groups.sibling = groups_of_tree(network, height, 0).sibling;
  const PathWeights weights(network, flat, groups, 0);
  ForwardingTable table = ForwardingTable::unfilled(network.network());
  fill_rows({network, reach, groups, weights}, threads, table, progress);
  return table;
}

}  // namespace unknot
