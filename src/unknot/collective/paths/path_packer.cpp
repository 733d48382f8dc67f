// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/paths/path_packer.hpp"

#include <algorithm>

namespace unknot {
namespace {

constexpr std::uint64_t kNoCost = UINT64_MAX;
constexpr std::uint64_t kHop = 4;       // every arc costs something, so that no path comes to a node twice
constexpr std::uint64_t kPressure = 4;  // of the first round, and more in each round
constexpr std::uint64_t kHistory = 3;

}  // namespace

PathPacker::PathPacker(const Problem& problem, std::uint32_t steps)
    : problem_(problem),
      graph_(*problem.graph),
      steps_(steps),
      extra_(std::min({problem.extra_hops, kMostExtra, graph_.node_count()})),
      arcs_(std::size_t{steps} * graph_.arc_count()),
      links_(graph_.link_class() == LinkClass::half_duplex ? std::size_t{steps} * graph_.link_count() : 0),
      senders_(std::size_t{steps} * graph_.node_count()),
      hops_(graph_.node_count(), NodeGraph::kUnreached),
      labels_(std::size_t{graph_.node_count()} * (extra_ + 1), Label{kNoCost, 0, 0}) {
  for (std::uint32_t step = 0; step < steps; ++step) {
    for (const ArcId a : graph_.arcs()) {
      arcs_[arc_at(step, a)].most = graph_.capacity(a);
      if (!links_.empty()) links_[link_at(step, a)].most = graph_.link_capacity(graph_.link(a));
    }
  }
}

bool PathPacker::pack(std::span<const NodeId> senders, std::span<const NodeId> receivers,
                      std::uint32_t rounds) {
  for (std::vector<Shared>* things : {&arcs_, &links_, &senders_}) {
    for (Shared& thing : *things) thing.used = 0, thing.history = 0;
  }
  for (Shared& sender : senders_) sender.most = 0;
  for (std::uint32_t step = 0; step < steps_; ++step) {
    for (const NodeId n : senders) senders_[sender_at(step, n.value)].most = problem_.send_limit(n);
  }
  if (paths_.size() < receivers.size()) paths_.resize(receivers.size());
  for (Path& path : paths_) path.nodes.clear();
  for (std::uint32_t round = 0; round < rounds; ++round) {
    pressure_ = kPressure * (round + 1);
    bool crowded = false;
    for (std::size_t i = 0; i < receivers.size(); ++i) {
      if (round > 0 && !is_crowded(paths_[i])) continue;
      crowded = true;
      count(paths_[i], false);
      if (!route(receivers[i], paths_[i])) return false;
      count(paths_[i], true);
    }
    if (!crowded) return true;
    for (std::vector<Shared>* things : {&arcs_, &links_, &senders_}) {
      for (Shared& thing : *things) {
        if (thing.used > thing.most) thing.history += kHistory * (thing.used - thing.most);
      }
    }
  }
  return std::none_of(paths_.begin(), paths_.begin() + static_cast<std::ptrdiff_t>(receivers.size()),
                      [&](const Path& path) { return is_crowded(path); });
}

void PathPacker::count(const Path& path, bool more) {
  if (path.nodes.empty()) return;
  const std::uint32_t change = more ? 1U : ~0U;
  senders_[sender_at(path.step, path.nodes.front().value)].used += change;
  for (std::size_t i = 1; i < path.nodes.size(); ++i) {
    const ArcId a = graph_.find(path.nodes[i - 1], path.nodes[i]);
    arcs_[arc_at(path.step, a)].used += change;
    if (!links_.empty()) links_[link_at(path.step, a)].used += change;
  }
}

bool PathPacker::is_crowded(const Path& path) const {
  const auto over = [](const Shared& thing) { return thing.used > thing.most; };
  if (over(senders_[sender_at(path.step, path.nodes.front().value)])) return true;
  for (std::size_t i = 1; i < path.nodes.size(); ++i) {
    const ArcId a = graph_.find(path.nodes[i - 1], path.nodes[i]);
    if (over(arcs_[arc_at(path.step, a)])) return true;
    if (!links_.empty() && over(links_[link_at(path.step, a)])) return true;
  }
  return false;
}

/// From a node that is this many hops before the receiver, to all before it.
void PathPacker::extend(std::uint32_t node, std::uint32_t hops, std::uint32_t step) {
  const auto entering = graph_.in(NodeId(node));
  const std::uint32_t from = label_of(node, hops);
  const Cost cost = labels_[from].cost;
  work_ += entering.size();
  for (const ArcId a : entering) {
    const std::uint32_t before = graph_.tail(a).value;
    if (hops_[before] == NodeGraph::kUnreached) {
      hops_[before] = hops + 1;
      reached_.push_back(before);
    } else if (hops + 1 - hops_[before] > extra_) {
      continue;
    }
    Cost more = kHop + price(arcs_[arc_at(step, a)]);
    if (!links_.empty()) more += price(links_[link_at(step, a)]);
    Label& label = labels_[label_of(before, hops + 1)];
    if (label.cost == kNoCost) later_.push_back(before);
    if (cost + more < label.cost) label = {cost + more, a.value, from};
  }
}

bool PathPacker::route(NodeId receiver, Path& path) {
  // Each begins with a step of its own: among steps as good, not all take the first.
  Cost best = kNoCost;
  bool found = false;
  for (std::uint32_t i = 0; i < steps_; ++i)
    found = search(receiver, (receiver.value + i) % steps_, best, path) || found;
  return found;
}

// All paths of a length are looked at together, from the receiver backwards. Every part of a shortest path
// that ends at the receiver is one, too; with hops to spare, a cheapest path has no circle, since without it
// it would be cheaper and no longer. True, and the path set, where there is one for less than `best`.
bool PathPacker::search(NodeId receiver, std::uint32_t step, Cost& best, Path& path) {
  reached_.assign(1, receiver.value);
  hops_[receiver.value] = 0;
  labels_[label_of(receiver.value, 0)].cost = 0;
  now_.assign(1, receiver.value);
  bool found = false;
  std::uint32_t start = 0;
  for (std::uint32_t hops = 0; !now_.empty(); ++hops) {
    later_.clear();
    Cost least = kNoCost;
    for (const std::uint32_t n : now_) {
      const std::uint32_t label = label_of(n, hops);
      const Shared& sender = senders_[sender_at(step, n)];
      if (sender.most > 0 && labels_[label].cost + price(sender) < best) {
        best = labels_[label].cost + price(sender);
        start = label;
        found = true;
      }
      least = std::min(least, labels_[label].cost);
      if (!graph_.is_leaf(NodeId(n)) || hops == 0) extend(n, hops, step);
    }
    if (least >= best) break;
    std::swap(now_, later_);
  }
  if (found) {
    path.step = step;
    path.nodes.assign(1, NodeId(start / (extra_ + 1)));
    for (std::uint32_t label = start; path.nodes.back() != receiver; label = labels_[label].next)
      path.nodes.push_back(graph_.head(ArcId(labels_[label].arc)));
  }
  for (const std::uint32_t n : reached_) {
    hops_[n] = NodeGraph::kUnreached;
    std::fill_n(labels_.begin() + static_cast<std::ptrdiff_t>(std::size_t{n} * (extra_ + 1)), extra_ + 1,
                Label{kNoCost, 0, 0});
  }
  return found;
}

}  // namespace unknot
