// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/reroute/touched_trees.hpp"

#include <algorithm>
#include <utility>

#include "unknot/routing/model/engine.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kGone = NetworkChange::kGone;
constexpr std::uint32_t kFar = 0xFFFFFFFFU;

/// Hops over channels, with or without those that were added.
class Hops {
 public:
  Hops(const Network& network, const NetworkChange& change) : network_(network), change_(change) {}

  /// From every router to `root`, or from `root` to every router.
  const std::vector<std::uint32_t>& run(RouterId root, bool towards, bool with_added) {
    hops_.assign(network_.router_count(), kFar);
    hops_[root.value] = 0;
    queue_.assign(1, root);
    for (std::size_t head = 0; head < queue_.size(); ++head) {
      const RouterId at = queue_[head];
      const auto visit = [&](ChannelId c, RouterId next) {
        if (hops_[next.value] != kFar) return;
        if (!with_added && change_.channel_to_old[c.value] == kGone) return;
        hops_[next.value] = hops_[at.value] + 1;
        queue_.push_back(next);
      };
      if (towards) {
        for (const ChannelId c : network_.in(at)) visit(c, network_.source(c));
      } else {
        for (const ChannelId c : network_.out(at)) visit(c, network_.target(c));
      }
    }
    return hops_;
  }

 private:
  const Network& network_;
  const NetworkChange& change_;
  std::vector<std::uint32_t> hops_;
  std::vector<RouterId> queue_;
};

struct Root {
  TerminalId destination;
  RouterId router;
  bool operator<(const Root& other) const {
    return std::pair(destination, router) < std::pair(other.destination, other.router);
  }
  bool operator==(const Root&) const = default;
};

/// Entries that name a channel that is gone: one pass over the rows of the routers that lost one.
std::vector<Root> entries_gone(const Network& old_network, const Routing& old_routing,
                               const NetworkChange& change) {
  std::vector<Root> roots;
  for (const RouterId r : old_network.routers()) {
    if (change.router_to_new[r.value] == kGone) continue;
    std::vector<bool> gone;
    for (const ChannelId c : old_network.out(r)) gone.push_back(change.channel_to_new[c.value] == kGone);
    if (std::find(gone.begin(), gone.end(), true) == gone.end()) continue;
    for (const TerminalId t : old_network.terminals()) {
      const std::uint32_t entry = old_routing.table().get(r, t);
      if (entry < gone.size() && gone[entry] && change.terminal_to_new[t.value] != kGone) {
        roots.push_back(
            {TerminalId(change.terminal_to_new[t.value]), RouterId(change.router_to_new[r.value])});
      }
    }
  }
  return roots;
}

/// By router of the new network: some terminal there can be reached by a shorter path than without the
/// channels that were added.
std::vector<bool> nearer_routers(const Network& network, const NetworkChange& change, Hops& search) {
  std::vector<bool> nearer(network.router_count(), false);
  std::vector<RouterId> sources;
  for (const ChannelId c : change.added_channels) sources.push_back(network.source(c));
  sources.erase(std::unique(sources.begin(), sources.end()), sources.end());  // ids are by source
  for (const RouterId source : sources) {
    const std::vector<std::uint32_t> without = search.run(source, false, false);
    const std::vector<std::uint32_t>& with = search.run(source, false, true);
    for (std::uint32_t r = 0; r < nearer.size(); ++r) {
      if (with[r] < without[r]) nearer[r] = true;
    }
  }
  return nearer;
}

/// Hops along the tables from a router; kFar where they do not deliver.
std::uint32_t follow(const Network& network, const ForwardingTable& table, RouterId from,
                     TerminalId destination) {
  const RouterId home = network.router_of(destination);
  std::uint32_t hops = 0;
  for (RouterId at = from; at != home; ++hops) {
    const ChannelId next = table.next(network, at, destination);
    if (!next.valid()) return kFar;
    if (hops > network.router_count())
      throw RoutingFailure("the tables send packets in a loop: nothing to keep");
    at = network.target(next);
  }
  return hops;
}

/// Adds the entries towards one router's terminals that are no longer on a shortest path, or are new.
class ImprovedRoots {
 public:
  ImprovedRoots(const Network& network, const NetworkChange& change, const ForwardingTable& table,
                Hops& search)
      : network_(network), change_(change), table_(table), search_(search) {}

  void add(RouterId home, bool nearer, std::vector<Root>& roots) {
    before_ = search_.run(home, true, false);
    const std::vector<std::uint32_t>& now = search_.run(home, true, true);
    for (const TerminalId t : network_.terminals_at(home)) {
      const bool fresh = change_.terminal_to_old[t.value] == kGone;
      if (!fresh && !nearer) continue;
      for (const RouterId r : network_.routers()) {
        if (r == home || now[r.value] == kFar) continue;
        const ChannelId next = table_.next(network_, r, t);
        if (!next.valid()) {
          roots.push_back({t, r});
          continue;
        }
        if (now[network_.target(next).value] + 1 == now[r.value]) continue;
        if (follow(network_, table_, r, t) == before_[r.value]) roots.push_back({t, r});
      }
    }
  }

 private:
  const Network& network_;
  const NetworkChange& change_;
  const ForwardingTable& table_;
  Hops& search_;
  std::vector<std::uint32_t> before_;
};

/// How long the paths of the tree's routers may be: as long as they were, where they were not the shortest.
class OldHops {
 public:
  OldHops(const Network& old_network, const Routing& old_routing, const Network& network,
          const NetworkChange& change, Hops& search)
      : old_network_(old_network),
        old_routing_(old_routing),
        network_(network),
        change_(change),
        search_(search) {}

  /// `nearer`: the change has made some paths shorter, so that a path that was shortest must be told from
  /// one that was not. Else a path of the old length is as short as it was, which is all that is asked.
  void fill(CutTree& tree, bool nearer) {
    const std::uint32_t old_destination = change_.terminal_to_old[tree.destination.value];
    if (old_destination == kGone) return;
    if (nearer) before_ = search_.run(network_.router_of(tree.destination), true, false);
    for (CutTree::Router& at : tree.routers) {
      const std::uint32_t old = change_.router_to_old[at.router];
      if (old == kGone) continue;
      const std::uint32_t hops =
          follow(old_network_, old_routing_.table(), RouterId(old), TerminalId(old_destination));
      at.hops = hops == kFar || (nearer && hops <= before_[at.router]) ? 0 : hops;
    }
  }

 private:
  const Network& old_network_;
  const Routing& old_routing_;
  const Network& network_;
  const NetworkChange& change_;
  Hops& search_;
  std::vector<std::uint32_t> before_;
};

}  // namespace

std::vector<CutTree> touched_trees(const Network& old_network, const Routing& old_routing,
                                   const Network& new_network, const NetworkChange& change,
                                   const Routing& carried) {
  Hops search(new_network, change);
  std::vector<Root> roots = entries_gone(old_network, old_routing, change);
  std::vector<bool> nearer(new_network.router_count(), false);
  if (!change.added_channels.empty() || change.added_terminals > 0) {
    nearer = nearer_routers(new_network, change, search);
    ImprovedRoots improved(new_network, change, carried.table(), search);
    for (const RouterId home : new_network.routers()) {
      const auto here = new_network.terminals_at(home);
      const bool fresh = std::any_of(here.begin(), here.end(),
                                     [&](TerminalId t) { return change.terminal_to_old[t.value] == kGone; });
      if (fresh || (nearer[home.value] && !here.empty())) improved.add(home, nearer[home.value], roots);
    }
  }
  std::sort(roots.begin(), roots.end());
  roots.erase(std::unique(roots.begin(), roots.end()), roots.end());

  std::vector<CutTree> trees;
  CutTreeFinder finder(new_network, carried.table());
  OldHops old_hops(old_network, old_routing, new_network, change, search);
  std::vector<RouterId> routers;
  for (std::size_t begin = 0; begin < roots.size();) {
    std::size_t end = begin;
    routers.clear();
    for (; end < roots.size() && roots[end].destination == roots[begin].destination; ++end)
      routers.push_back(roots[end].router);
    trees.push_back(finder.find(roots[begin].destination, routers));
    old_hops.fill(trees.back(), nearer[new_network.router_of(trees.back().destination).value]);
    begin = end;
  }
  return trees;
}

}  // namespace unknot
