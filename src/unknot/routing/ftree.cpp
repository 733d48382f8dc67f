// SPDX-License-Identifier: Apache-2.0
// Fat-tree routing, destination modulo k [Zahavi, Johnson, Kerbyson, Lang 2010; Leiserson 1985].
//
// All packets for one destination should come down to it by one chain of routers, from the top of the tree to
// its leaf: a channel that leads down then serves few destinations whole rather than parts of many, and two
// packets that meet on the way down are rare. On a k-ary n-tree with k terminals on a leaf, no channel serves
// two terminals of a leaf. The chain is chosen from the leaf upwards, each time the parent whose channel down
// is on the fewest chains; among those, the one with the least load on the channel up, which in a regular
// tree is the load of that parent's whole share of the tree. On a full tree that is d-mod-k; where cables,
// routers or terminals are missing, it evens out what is left.
//
// Everyone else goes up until it meets the chain, within the Up*/Down* rule, so that trees of any shape are
// complete and deadlock-free. Levels come from the network, not from the generator.
#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>
#include <vector>

#include "unknot/routing/dealing/turned_tree.hpp"
#include "unknot/routing/engines.hpp"
#include "unknot/routing/trees/sibling_uses.hpp"
#include "unknot/routing/up_down/level_order.hpp"
#include "unknot/routing/up_down/up_down_table.hpp"

namespace unknot {
namespace {

/// Chooses channels that lead to the destination's chain as soon as they can.
class ChainChoice {
 public:
  ChainChoice(const Network& network, const LevelOrder& levels)
      : network_(network),
        levels_(levels),
        siblings_(network),
        load_(network.channel_count(), 0),
        chains_(network.channel_count(), 0),
        to_chain_(network.router_count()),
        taken_(network.router_count()),
        below_(network.router_count()) {}

  void begin(const UpDownTree& tree, TerminalId destination) {
    siblings_.begin(destination);
    std::fill(to_chain_.begin(), to_chain_.end(), UpDownTree::kFar);
    RouterId at = tree.root();
    to_chain_[at.value] = 0;
    for (;;) {
      const ChannelId down = parent_channel(tree, at);
      if (!down.valid()) break;
      ++chains_[down.value];
      siblings_.take(down.value);
      at = network_.source(down);
      to_chain_[at.value] = 0;
    }
  }

  [[nodiscard]] bool better(ChannelId a, ChannelId b) const {
    const std::uint32_t a_hops = to_chain_[network_.target(a).value];
    const std::uint32_t b_hops = to_chain_[network_.target(b).value];
    if (a_hops != b_hops) return a_hops < b_hops;
    const std::uint32_t a_uses = siblings_.of(a.value);
    const std::uint32_t b_uses = siblings_.of(b.value);
    return a_uses != b_uses ? a_uses < b_uses : load_[a.value] < load_[b.value];
  }

  void take(RouterId router, ChannelId channel) {
    // The chain's own channels have counted.
    if (to_chain_[router.value] != 0 || to_chain_[network_.target(channel).value] != 0)
      siblings_.take(channel.value);
    taken_[router.value] = channel;
    std::uint32_t& hops = to_chain_[router.value];
    const std::uint32_t rest = to_chain_[network_.target(channel).value];
    // Not known for routers further down, which decide later: they are off the chain, that is enough.
    if (hops != 0 && rest != UpDownTree::kFar) hops = rest + 1;
  }

  /// Adds the tree's loads: the terminals whose packets take each channel.
  void end(const UpDownTree& tree, TerminalId /*destination*/) {
    const auto hops = tree.hops();
    first_of_.clear();
    for (const RouterId r : network_.routers()) {
      below_[r.value] = network_.terminals_at(r).size();
      if (hops[r.value] == UpDownTree::kFar) continue;
      if (hops[r.value] >= first_of_.size()) first_of_.resize(hops[r.value] + std::size_t{1}, 0);
      ++first_of_[hops[r.value]];
    }
    // Farthest first: those of h hops come after all with more.
    std::uint32_t before = 0;
    for (std::size_t h = first_of_.size(); h-- > 0;) before += std::exchange(first_of_[h], before);
    by_hops_.resize(before);
    for (const RouterId r : network_.routers()) {
      if (hops[r.value] != UpDownTree::kFar) by_hops_[first_of_[hops[r.value]]++] = r.value;
    }
    for (const std::uint32_t r : by_hops_) {
      if (r == tree.root().value) continue;
      load_[taken_[r].value] += below_[r];
      below_[network_.target(taken_[r]).value] += below_[r];
    }
  }

 private:
  /// Channel by which the chain's next router, one level up, reaches this one; invalid at the top.
  [[nodiscard]] ChannelId parent_channel(const UpDownTree& tree, RouterId at) const {
    ChannelId best;
    for (const ChannelId up : network_.out(at)) {
      const RouterId parent = network_.target(up);
      if (levels_.height[parent.value] <= levels_.height[at.value]) continue;
      if (tree.below()[parent.value] != tree.below()[at.value] + 1) continue;
      const ChannelId down = network_.reverse(up);
      if (!best.valid() || key(down) < key(best)) best = down;
    }
    return best;
  }

  /// What a parent's channel down already has: chains to other addresses of the port, chains, then load of
  /// its way up.
  [[nodiscard]] std::tuple<std::uint32_t, std::uint64_t, std::uint64_t> key(ChannelId down) const {
    return {siblings_.of(down.value), chains_[down.value], load_[network_.reverse(down).value]};
  }

  const Network& network_;
  const LevelOrder& levels_;
  SiblingUses siblings_;
  std::vector<std::uint64_t> load_;      // by channel: (source, destination) pairs of terminals
  std::vector<std::uint32_t> chains_;    // by channel that leads down: destinations whose chain it is part of
  std::vector<std::uint32_t> to_chain_;  // by router: hops until its path meets the chain
  std::vector<ChannelId> taken_;         // by router
  std::vector<std::uint64_t> below_;     // by router: terminals in its subtree
  std::vector<std::uint32_t> first_of_, by_hops_;
};

Routing run_ftree(const Network& network, const EngineRequest& request, Progress& progress) {
  Routing routing;
  routing.engine = "ftree";
  const std::vector<RouterId> roots = routers_with(network, request.guidance.roots);
  const std::vector<RouterId> leaves = routers_with(network, request.guidance.compute_nodes);
  LevelOrder levels = !roots.empty()    ? levels_below(network, roots)
                      : !leaves.empty() ? level_order(network, heights_above(network, leaves))
                                        : level_order(network, heights_above_terminals(network));
  if (roots.empty() && levels.missing > 0 && levels.missing > unconnected_pairs(network)) {
    // Some terminals have no common ancestor: what the levels leave out, a leaf joins, or else the centre.
    levels.order = order_for_all_pairs(network, request.threads);
  }
  ChainChoice choice(network, levels);
  const std::uint64_t missing =
      fill_up_down_table(network, levels.order, terminals_in_order(network, request.guidance), choice,
                         routing.table(), progress);
  if (!roots.empty() && missing > 0 && missing > unconnected_pairs(network)) {
    throw RoutingFailure(
        fmt::format("ftree: below these roots {} pairs have no path that goes up, then down; choose others",
                    missing - unconnected_pairs(network)));
  }
  require_up_down(network, levels.order, routing.table());
  return routing;
}

}  // namespace

Engine ftree_engine() {
  return {
      .name = "ftree",
      .summary = "fat trees, imperfect ones too: each destination's packets come down by one chain; one lane",
      .parameters = {},
      .promise = {.deadlock_free = true, .minimal = false},
      .unsuitable = tree_trouble,
      .run = run_ftree,
      .heeds = {.roots = true, .order = true, .nodes = true},
  };
}

}  // namespace unknot
