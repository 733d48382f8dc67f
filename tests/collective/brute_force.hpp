// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <set>
#include <utility>
#include <vector>

#include "unknot/collective/model/problem.hpp"

namespace unknot::testing {

/// Fewest steps of tiny problems with one group, by trying all simple paths of all messages: no flows.
/// Scatters and broadcasts.
class BruteForce {
 public:
  explicit BruteForce(const Problem& problem) : problem_(problem), graph_(*problem.graph) {
    paths_.resize(graph_.node_count());
    for (const NodeId from : graph_.nodes()) {
      paths_[from.value].resize(graph_.node_count());
      std::vector<std::uint32_t> hops;
      graph_.distances_from(from, hops);
      std::vector<NodeId> path{from};
      walk(path, hops);
    }
  }

  std::uint32_t least_steps() {
    for (std::uint32_t steps = 1;; ++steps) {
      if (problem_.delivery == Delivery::scatter ? scatter(steps) : broadcast(steps)) return steps;
    }
  }

 private:
  using Path = std::vector<NodeId>;
  struct Use {
    std::vector<std::uint32_t> arc, link, sent, received;
  };

  void walk(Path& path, const std::vector<std::uint32_t>& hops) {
    const NodeId at = path.back();
    if (path.size() > 1) {
      if (path.size() - 1 <= std::uint64_t{hops[at.value]} + problem_.extra_hops)
        paths_[path.front().value][at.value].push_back(path);
      if (graph_.is_leaf(at)) return;
    }
    for (const ArcId a : graph_.out(at)) {
      if (std::find(path.begin(), path.end(), graph_.head(a)) != path.end()) continue;
      path.push_back(graph_.head(a));
      walk(path, hops);
      path.pop_back();
    }
  }

  [[nodiscard]] Use unused() const {
    Use use;
    use.arc.assign(graph_.arc_count(), 0);
    use.link.assign(graph_.link_count(), 0);
    use.sent.assign(graph_.node_count(), 0);
    use.received.assign(graph_.node_count(), 0);
    return use;
  }
  /// Adds a path to a step, or takes it away; false when it does not fit.
  bool put(Use& use, const Path& path, std::uint32_t change) const {
    bool fits = (use.sent[path.front().value] += change) <= problem_.send_ports;
    fits = (use.received[path.back().value] += change) <= problem_.receive_ports && fits;
    for (std::size_t i = 1; i < path.size(); ++i) {
      const ArcId a = graph_.find(path[i - 1], path[i]);
      fits = (use.arc[a.value] += change) <= graph_.capacity(a) && fits;
      use.link[graph_.link(a)] += change;
      if (graph_.link_class() == LinkClass::half_duplex)
        fits = use.link[graph_.link(a)] <= graph_.link_capacity(graph_.link(a)) && fits;
    }
    return fits;
  }

  bool scatter(std::uint32_t steps) const {
    std::vector<Use> use(steps, unused());
    return place(use, 0, 0);
  }
  bool place(std::vector<Use>& use, std::uint32_t message, std::uint32_t begun) const {
    if (message == problem_.messages()) return true;
    for (std::uint32_t step = 0; step < std::min<std::size_t>(use.size(), begun + 1); ++step) {
      for (const Path& path : paths_[problem_.owner[0].value][problem_.partner[message].value]) {
        const bool done = put(use[step], path, 1) && place(use, message + 1, std::max(begun, step + 1));
        put(use[step], path, ~0U);
        if (done) return true;
      }
    }
    return false;
  }

  /// All sets of nodes that can have the message, step by step.
  bool broadcast(std::uint32_t steps) const {
    using Informed = std::set<NodeId>;
    std::set<Informed> now{{problem_.owner[0]}};
    for (std::uint32_t step = 0; step < steps; ++step) {
      std::set<Informed> later;
      for (const Informed& informed : now) {
        Use use = unused();
        inform(use, informed, 0, informed, later);
      }
      now = std::move(later);
    }
    const std::size_t all = problem_.messages() + 1;
    return std::any_of(now.begin(), now.end(),
                       [&](const Informed& informed) { return informed.size() == all; });
  }
  void inform(Use& use, const std::set<NodeId>& informed, std::uint32_t message,
              const std::set<NodeId>& so_far, std::set<std::set<NodeId>>& later) const {
    if (message == problem_.messages()) {
      later.insert(so_far);
      return;
    }
    inform(use, informed, message + 1, so_far, later);
    const NodeId to = problem_.partner[message];
    if (informed.contains(to)) return;
    std::set<NodeId> more = so_far;
    more.insert(to);
    for (const NodeId from : informed) {
      for (const Path& path : paths_[from.value][to.value]) {
        if (put(use, path, 1)) inform(use, informed, message + 1, more, later);
        put(use, path, ~0U);
      }
    }
  }

  const Problem& problem_;
  const NodeGraph& graph_;
  std::vector<std::vector<std::vector<Path>>> paths_;  // by first and last node
};

}  // namespace unknot::testing
