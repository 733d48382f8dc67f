// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/multicast/multicast.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

#include "unknot/network/bfs.hpp"
#include "unknot/routing/layers/dependency_walk.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/routing/multicast/grown_tree.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostCentres = 512;        // routers whose distances are looked at
constexpr std::uint32_t kMostRoots = 24;           // that trees are grown from, along sequences
constexpr std::uint64_t kSearchWork = 40'000'000;  // dependencies, times roots where cycles are searched for
constexpr std::uint64_t kMostArcs = 30'000'000;    // dependencies of a network where they are

/// Routers in the middle of those with members first.
std::vector<RouterId> centres(const Network& network, std::span<const RouterId> wanted) {
  BreadthFirstSearch search(network);
  using Key = std::tuple<std::uint64_t, std::uint32_t, std::uint64_t, RouterId>;  // unreached, farthest, sum
  std::vector<Key> keys;
  const std::uint32_t count = std::min(network.router_count(), kMostCentres);
  for (std::uint32_t i = 0; i < count; ++i) {
    const RouterId r(static_cast<std::uint32_t>(std::uint64_t{network.router_count()} * i / count));
    const auto hops = search.from(r);
    std::uint64_t unreached = 0;
    std::uint64_t sum = 0;
    std::uint32_t farthest = 0;
    for (const RouterId w : wanted) {
      if (hops[w.value] == BreadthFirstSearch::kUnreached) {
        ++unreached;
        continue;
      }
      farthest = std::max(farthest, hops[w.value]);
      sum += hops[w.value];
    }
    keys.emplace_back(unreached, farthest, sum, r);
  }
  std::sort(keys.begin(), keys.end());
  std::vector<RouterId> roots;
  for (const Key& key : keys) roots.push_back(std::get<RouterId>(key));
  return roots;
}

class Trees {
 public:
  Trees(const Network& network, const Routing& routing, const MulticastRequest& request,
        MulticastResult& result)
      : network_(network),
        routing_(routing),
        request_(request),
        result_(result),
        slots_(network),
        uses_(slots_.count(), 0),
        trees_on_(network.channel_count(), 0) {
    try {
      uses_ = dependency_lanes(network, routing, slots_);
    } catch (const RoutingFailure&) {  // packets go in a loop: whatever is added, they can deadlock
    }
  }

  void run(Progress& progress) {
    // Groups of one level have trees in common, which join the members of all of them.
    std::map<std::optional<std::uint8_t>, std::vector<const MulticastWish*>> by_level;
    for (const MulticastWish& wish : request_.groups) by_level[wish.level].push_back(&wish);
    for (const auto& [level, wishes] : by_level) {
      if (progress.interrupted()) throw Interrupted();
      serve(level, wishes, progress);
    }
    auto& groups = result_.tables.groups;
    std::sort(groups.begin(), groups.end(),
              [](const MulticastGroup& a, const MulticastGroup& b) { return a.lid() < b.lid(); });
    std::sort(result_.left_out.begin(), result_.left_out.end(),
              [](const MulticastGap& a, const MulticastGap& b) { return a.lid < b.lid; });
  }

 private:
  struct Found {
    GrownTree tree;
    std::uint8_t level = 0;
    std::uint32_t missing = 0;  ///< of the wanted routers
  };

  void serve(std::optional<std::uint8_t> level, const std::vector<const MulticastWish*>& wishes,
             Progress& progress) {
    std::vector<bool> has(network_.router_count(), false);
    for (const MulticastWish* wish : wishes) {
      for (const TerminalId t : wish->members) has[network_.router_of(t).value] = true;
    }
    std::vector<RouterId> wanted;
    for (const RouterId r : network_.routers()) {
      if (has[r.value]) wanted.push_back(r);
    }
    std::vector<RouterId> roots = centres(network_, wanted);
    std::vector<Found> found;
    const std::size_t most =
        std::clamp<std::size_t>(request_.trees, 1, std::max<std::size_t>(1, wishes.size()));
    while (found.size() < most && !roots.empty()) {
      Found next = find(found.empty() ? level : std::optional(found.front().level), wanted, roots, progress);
      if (!found.empty() && next.missing > found.front().missing) break;
      std::erase(roots, next.tree.root);
      for (const RouterId r : next.tree.order) {
        const ChannelId down = next.tree.from_parent[r.value];
        if (!down.valid()) continue;
        ++trees_on_[down.value];
        ++trees_on_[network_.reverse(down).value];
      }
      add_dependencies(next);
      result_.roots.push_back(next.tree.root);
      found.push_back(std::move(next));
    }
    for (std::size_t i = 0; i < wishes.size(); ++i) cut_out(*wishes[i], found[i % found.size()]);
  }

  /// The first tree that joins all, or the one that leaves out the fewest.
  Found find(std::optional<std::uint8_t> level, std::span<const RouterId> wanted,
             std::span<const RouterId> roots, Progress& progress) {
    std::optional<Found> best;
    const std::uint32_t last =
        std::min(std::max(routing_.virtual_lanes + 1, std::uint32_t{level.value_or(0)} + 1),
                 std::max(request_.lanes, routing_.virtual_lanes));
    for (std::uint32_t lane = level.value_or(0); lane < last && lane < LaneMap::kDrop; ++lane) {
      if (progress.interrupted()) throw Interrupted();
      if (try_lane(static_cast<std::uint8_t>(lane), wanted, roots, best) || level) break;
    }
    if (best) return std::move(*best);
    // No lane may carry it: a tree of the root alone.
    Found none;
    none.level = level.value_or(0);
    none.tree.root = roots.front();
    none.tree.from_parent.assign(network_.router_count(), ChannelId());
    none.tree.order.push_back(roots.front());
    none.missing = missing(none.tree, wanted);
    return none;
  }

  bool try_lane(std::uint8_t lane, std::span<const RouterId> wanted, std::span<const RouterId> roots,
                std::optional<Found>& best) {
    const auto consider = [&](GrownTree tree) {
      const std::uint32_t lost = missing(tree, wanted);
      if (!best || lost < best->missing) best = Found{std::move(tree), lane, lost};
      return best->missing == 0;
    };
    std::vector<std::uint32_t> order;
    for (std::size_t i = 0; i < std::min<std::size_t>(kMostRoots, roots.size()); ++i) {
      const auto sequence = lane_sequence(network_, slots_, uses_, lane, up_down_rank(network_, roots[i]));
      if (!sequence) {  // the lane can deadlock without the tree
        if (i == 0) return consider(grow_in_sequence(network_, roots[0], free_sequence(roots[0]), trees_on_));
        return false;
      }
      if (consider(grow_in_sequence(network_, roots[i], *sequence, trees_on_))) return true;
      if (i == 0) {
        for (const ChannelId c : sequence->channels) order.push_back(c.value);
      }
    }
    if (slots_.count() > kMostArcs) return false;
    if (!space_) {
      space_.emplace(ArcSpace::of_dependencies(network_));
      arcs_.emplace(*space_);
    }
    const std::uint64_t searches =
        std::max<std::uint64_t>(2, kSearchWork / std::max<std::uint64_t>(1, slots_.count()));
    for (std::size_t i = 0; i < std::min<std::uint64_t>(searches, roots.size()); ++i) {
      arcs_->restart(order);
      add_lane(lane);
      if (consider(grow_without_cycle(network_, roots[i], *space_, *arcs_, trees_on_))) return true;
    }
    return false;
  }

  LaneSequence free_sequence(RouterId root) const {
    return *lane_sequence(network_, slots_, std::vector<std::uint16_t>(slots_.count(), 0), 0,
                          up_down_rank(network_, root));
  }

  void add_lane(std::uint32_t lane) {
    for (const ChannelId held : network_.channels()) {
      const std::uint32_t count = network_.out(network_.target(held)).size();
      for (std::uint32_t i = 0; i < count; ++i) {
        if ((uses_[slots_.slot(held.value, i)] >> lane & 1U) != 0)
          arcs_->add(space_->out_first(held.value) + i);
      }
    }
  }

  static std::uint32_t missing(const GrownTree& tree, std::span<const RouterId> wanted) {
    std::uint32_t lost = 0;
    for (const RouterId r : wanted) lost += r != tree.root && !tree.from_parent[r.value].valid() ? 1U : 0U;
    return lost;
  }

  /// The tree counts for those that come after it.
  void add_dependencies(const Found& found) {
    std::vector<std::vector<ChannelId>> away(network_.router_count());
    for (const RouterId r : found.tree.order) {
      const ChannelId down = found.tree.from_parent[r.value];
      if (!down.valid()) continue;
      away[network_.source(down).value].push_back(down);
      away[r.value].push_back(network_.reverse(down));
    }
    for (const std::vector<ChannelId>& channels : away) {
      for (const ChannelId in : channels) {
        const ChannelId held = network_.reverse(in);
        for (const ChannelId wanted : channels) {
          if (wanted == in) continue;
          const std::uint32_t position =
              wanted.value - (*network_.out(network_.source(wanted)).begin()).value;
          uses_[slots_.slot(held.value, position)] |= static_cast<std::uint16_t>(1U << found.level);
        }
      }
    }
    result_.lanes_more =
        std::max(result_.lanes_more,
                 found.level < routing_.virtual_lanes ? 0U : found.level + 1U - routing_.virtual_lanes);
  }

  /// The part of the tree between the members.
  void cut_out(const MulticastWish& wish, const Found& found) {
    const GrownTree& tree = found.tree;
    const auto joined = [&](RouterId r) { return r == tree.root || tree.from_parent[r.value].valid(); };
    std::vector<std::uint32_t> below(network_.router_count(), 0);  // members, at first of each router alone
    std::uint32_t total = 0;
    std::vector<MulticastPort> ports;
    MulticastGap gap{wish.lid, {}};
    for (const TerminalId t : wish.members) {
      const RouterId r = network_.router_of(t);
      if (!joined(r)) {
        gap.members.push_back(t);
        continue;
      }
      ports.push_back({r, network_.terminal_port(t)});
      ++below[r.value];
      ++total;
    }
    for (std::size_t i = tree.order.size(); i-- > 0;) {
      const RouterId r = tree.order[i];
      const ChannelId down = tree.from_parent[r.value];
      if (!down.valid()) continue;
      const std::uint32_t here = below[r.value];
      below[network_.source(down).value] += here;
      if (here == 0 || here == total) continue;
      ports.push_back({network_.source(down), network_.source_port(down)});
      ports.push_back({r, network_.target_port(down)});
    }
    result_.tables.groups.emplace_back(wish.lid, found.level, network_.router_count(), std::move(ports));
    if (!gap.members.empty()) result_.left_out.push_back(std::move(gap));
  }

  const Network& network_;
  const Routing& routing_;
  const MulticastRequest& request_;
  MulticastResult& result_;
  DependencySlots slots_;
  std::vector<std::uint16_t> uses_;      // lanes of each dependency, by slot
  std::vector<std::uint32_t> trees_on_;  // by channel
  std::optional<ArcSpace> space_;
  std::optional<AcyclicArcs> arcs_;
};

}  // namespace

MulticastResult multicast_trees(const Network& network, const Routing& routing,
                                const MulticastRequest& request, Progress& progress) {
  require_tables(routing, "multicast");
  if (routing.lane_map != nullptr)
    throw InputError(
        "multicast needs tables whose service levels are lanes, without SL-to-VL tables (of dor: "
        "dor:sl2vl=0)");
  MulticastResult result;
  Trees(network, routing, request, result).run(progress);
  return result;
}

}  // namespace unknot
