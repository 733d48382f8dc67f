// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/multicast/multicast.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <tuple>
#include <utility>

#include "unknot/network/bfs.hpp"
#include "unknot/routing/multicast/tree_search.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostCentres = 512;  // routers whose distances are looked at
constexpr std::uint32_t kMostOwnTrees =
    256;  // searched for groups that a common tree leaves something out of

/// Routers in the middle of those that are wanted first.
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
  roots.reserve(keys.size());
  for (const Key& key : keys) roots.push_back(std::get<RouterId>(key));
  return roots;
}

class Trees {
 public:
  Trees(const Network& network, const Routing& routing, const MulticastRequest& request,
        MulticastResult& result)
      : network_(network),
        virtual_lanes_(routing.virtual_lanes),
        request_(request),
        result_(result),
        search_(network, routing, request.lanes) {}

  void run(Progress& progress) {
    // Groups of one level have trees in common, which join the members of all of them.
    std::map<std::optional<std::uint8_t>, std::vector<const MulticastWish*>> by_level;
    for (const MulticastWish& wish : request_.groups) by_level[wish.level].push_back(&wish);
    for (const auto& [level, wishes] : by_level) serve(level, wishes, progress);
    std::sort(result_.tables.groups.begin(), result_.tables.groups.end(),
              [](const MulticastGroup& a, const MulticastGroup& b) { return a.lid() < b.lid(); });
    std::sort(result_.left_out.begin(), result_.left_out.end(),
              [](const MulticastGap& a, const MulticastGap& b) { return a.lid < b.lid; });
  }

 private:
  void serve(std::optional<std::uint8_t> level, const std::vector<const MulticastWish*>& wishes,
             Progress& progress) {
    const std::vector<RouterId> wanted = routers_of(wishes);
    std::vector<RouterId> roots = centres(network_, wanted);
    std::vector<FoundTree> found;
    const std::size_t most = std::min<std::size_t>(std::max(request_.trees, 1U), wishes.size());
    while (found.size() < most && !roots.empty()) {
      FoundTree next =
          search_.find(found.empty() ? level : std::optional(found.front().level), wanted, roots, progress);
      if (!found.empty() && next.missing > found.front().missing) break;
      std::erase(roots, next.tree.root);
      take(next);
      found.push_back(std::move(next));
    }
    for (std::size_t i = 0; i < wishes.size(); ++i) {
      const FoundTree& common = found[i % found.size()];
      if (!leaves_out(*wishes[i], common) || !cut_out_of_its_own(level, wishes[i], progress))
        cut_out(*wishes[i], common);
    }
  }

  [[nodiscard]] std::vector<RouterId> routers_of(std::span<const MulticastWish* const> wishes) const {
    std::vector<bool> has(network_.router_count(), false);
    for (const MulticastWish* wish : wishes) {
      for (const TerminalId t : wish->members) has[network_.router_of(t).value] = true;
    }
    std::vector<RouterId> all;
    for (const RouterId r : network_.routers()) {
      if (has[r.value]) all.push_back(r);
    }
    return all;
  }

  /// The tree counts from now on.
  void take(const FoundTree& found) {
    search_.add(found);
    result_.roots.push_back(found.tree.root);
    if (found.level >= virtual_lanes_)
      result_.lanes_more = std::max(result_.lanes_more, found.level + 1U - virtual_lanes_);
  }

  [[nodiscard]] bool leaves_out(const MulticastWish& wish, const FoundTree& found) const {
    return std::any_of(wish.members.begin(), wish.members.end(),
                       [&](TerminalId t) { return !joins(found.tree, network_.router_of(t)); });
  }

  /// A tree that is asked to join the members of this group alone may find ways to all of them. False: it
  /// does not, or too many have been looked for.
  bool cut_out_of_its_own(std::optional<std::uint8_t> level, const MulticastWish* wish, Progress& progress) {
    if (own_trees_++ >= kMostOwnTrees) return false;
    const std::vector<RouterId> wanted = routers_of({&wish, 1});
    const FoundTree own = search_.find(level, wanted, centres(network_, wanted), progress);
    if (own.missing > 0) return false;
    take(own);
    cut_out(*wish, own);
    return true;
  }

  /// The part of the tree between the members.
  void cut_out(const MulticastWish& wish, const FoundTree& found) {
    const GrownTree& tree = found.tree;
    std::vector<std::uint32_t> below(network_.router_count(), 0);  // members, at first of each router alone
    std::uint32_t total = 0;
    std::vector<MulticastPort> ports;
    MulticastGap gap{wish.lid, {}};
    for (const TerminalId t : wish.members) {
      const RouterId r = network_.router_of(t);
      if (!joins(tree, r)) {
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
  std::uint32_t virtual_lanes_;
  const MulticastRequest& request_;
  MulticastResult& result_;
  TreeSearch search_;
  std::uint32_t own_trees_ = 0;
};

}  // namespace

MulticastWish all_hosts(const Network& network) {
  MulticastWish wish;
  for (const TerminalId t : network.terminals()) {
    if (network.terminal_port(t) != 0) wish.members.push_back(t);
  }
  return wish;
}

MulticastResult multicast_trees(const Network& network, const Routing& routing,
                                const MulticastRequest& request, Progress& progress) {
  require_tables(routing, "multicast");
  if (routing.lane_map != nullptr) {
    throw InputError(
        "multicast needs tables whose service levels are lanes, without SL-to-VL tables (of dor: "
        "dor:sl2vl=0)");
  }
  MulticastResult result;
  if (network.router_count() > 0) Trees(network, routing, request, result).run(progress);
  return result;
}

}  // namespace unknot
