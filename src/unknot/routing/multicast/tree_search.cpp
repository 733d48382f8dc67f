// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/multicast/tree_search.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

#include "unknot/routing/layers/dependency_walk.hpp"
#include "unknot/routing/layers/lane_sequence.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostRoots = 24;             // that trees are grown from on a lane, along sequences
constexpr std::uint64_t kSequenceWork = 30'000'000;  // dependencies that these look at on a lane
constexpr std::uint64_t kSearchWork =
    60'000'000;                                  // the same, where cycles are searched for: of the first lane
constexpr std::uint64_t kMostArcs = 30'000'000;  // dependencies of a network where they are

}  // namespace

struct TreeSearch::Search {
  std::span<const RouterId> wanted;
  std::span<const RouterId> roots;
  std::optional<FoundTree> best;

  [[nodiscard]] std::uint32_t missing(const GrownTree& tree) const {
    std::uint32_t lost = 0;
    for (const RouterId r : wanted) lost += joins(tree, r) ? 0U : 1U;
    return lost;
  }
  void consider(GrownTree tree, std::uint32_t lane) {
    const std::uint32_t lost = missing(tree);
    if (!best || lost < best->missing)
      best = FoundTree{std::move(tree), static_cast<std::uint8_t>(lane), lost};
  }
  [[nodiscard]] bool done() const { return best && best->missing == 0; }
};

TreeSearch::TreeSearch(const Network& network, const Routing& routing, std::uint32_t lanes)
    : network_(network),
      in_use_(std::min<std::uint32_t>(routing.virtual_lanes, LaneMap::kDrop)),
      lanes_(std::min<std::uint32_t>(std::max(lanes, in_use_), LaneMap::kDrop)),
      slots_(network),
      uses_(slots_.count(), 0),
      trees_on_(network.channel_count(), 0) {
  try {
    uses_ = dependency_lanes(network, routing, slots_);
  } catch (const RoutingFailure&) {  // packets go in a loop: whatever is added, they can deadlock
  }
}

FoundTree TreeSearch::find(std::optional<std::uint8_t> level, std::span<const RouterId> wanted,
                           std::span<const RouterId> roots, Progress& progress) {
  Search search{wanted, roots, {}};
  const std::uint32_t first = level.value_or(0);
  const std::uint32_t end = level ? std::min(lanes_, first + 1) : in_use_;
  const auto on_lanes = [&](std::uint32_t from, const auto& look) {
    for (std::uint32_t lane = from; lane < end && !search.done(); ++lane) {
      if (progress.interrupted()) throw Interrupted();
      look(lane);
    }
  };
  if (first < end) {
    along_sequences(search, first);
    if (!search.done()) without_cycles(search, first, kSearchWork);
  }
  on_lanes(first + 1, [&](std::uint32_t lane) { along_sequences(search, lane); });
  on_lanes(first + 1, [&](std::uint32_t lane) { without_cycles(search, lane, kSearchWork / 2); });
  if (!search.done() && !level && in_use_ < lanes_) along_sequences(search, in_use_);
  if (search.best) return std::move(*search.best);
  // No lane may carry it: a tree of the root alone.
  GrownTree alone{roots.front(), {roots.front()}, std::vector<ChannelId>(network_.router_count())};
  const std::uint32_t lost = search.missing(alone);
  return {std::move(alone), level.value_or(0), lost};
}

void TreeSearch::along_sequences(Search& search, std::uint32_t lane) {
  const std::uint64_t most =
      std::clamp<std::uint64_t>(kSequenceWork / std::max<std::uint64_t>(1, slots_.count()), 2, kMostRoots);
  for (std::size_t i = 0; i < std::min<std::uint64_t>(most, search.roots.size()) && !search.done(); ++i) {
    const RouterId root = search.roots[i];
    const std::vector<std::uint32_t> rank = up_down_rank(network_, root);
    auto sequence = lane_sequence(network_, slots_, uses_, lane, rank);
    const bool can_deadlock = !sequence;  // without any tree: then one as on an empty lane
    if (can_deadlock) {
      const std::vector<std::uint16_t> nothing(slots_.count(), 0);
      sequence = lane_sequence(network_, slots_, nothing, lane, rank);
    }
    search.consider(grow_in_sequence(network_, root, sequence->place, trees_on_), lane);
    if (can_deadlock) return;
  }
}

void TreeSearch::without_cycles(Search& search, std::uint32_t lane, std::uint64_t work) {
  if (slots_.count() > kMostArcs) return;
  const auto sequence =
      lane_sequence(network_, slots_, uses_, lane, up_down_rank(network_, search.roots.front()));
  if (!sequence) return;
  if (!space_) {
    space_.emplace(ArcSpace::of_dependencies(network_));
    arcs_.emplace(*space_);
  }
  std::vector<std::uint32_t> order;
  for (const ChannelId c : sequence->channels) order.push_back(c.value);
  const std::uint64_t until = arcs_->steps() + work;
  std::uint64_t restarts = 0;
  for (const RouterId root : search.roots) {
    if (search.done() || arcs_->steps() + restarts > until) return;
    restarts += slots_.count();
    arcs_->restart(order);
    add_lane(lane);
    search.consider(grow_without_cycle(network_, root, *space_, *arcs_, trees_on_), lane);
  }
}

void TreeSearch::add_lane(std::uint32_t lane) {
  for (const ChannelId held : network_.channels()) {
    const std::uint32_t count = network_.out(network_.target(held)).size();
    for (std::uint32_t i = 0; i < count; ++i) {
      if ((uses_[slots_.slot(held.value, i)] >> lane & 1U) != 0)
        arcs_->add(space_->out_first(held.value) + i);
    }
  }
}

void TreeSearch::add(const FoundTree& found) {
  std::vector<std::vector<ChannelId>> away(network_.router_count());
  for (const RouterId r : found.tree.order) {
    const ChannelId down = found.tree.from_parent[r.value];
    if (!down.valid()) continue;
    away[network_.source(down).value].push_back(down);
    away[r.value].push_back(network_.reverse(down));
    ++trees_on_[down.value];
    ++trees_on_[network_.reverse(down).value];
  }
  for (const std::vector<ChannelId>& channels : away) {
    for (const ChannelId back : channels) {
      const ChannelId held = network_.reverse(back);
      for (const ChannelId wanted : channels) {
        if (wanted == back) continue;
        const std::uint32_t position = wanted.value - network_.out(network_.source(wanted))[0].value;
        uses_[slots_.slot(held.value, position)] |= static_cast<std::uint16_t>(1U << found.level);
      }
    }
  }
  in_use_ = std::max(in_use_, found.level + 1U);
}

}  // namespace unknot
