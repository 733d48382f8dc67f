// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "collective/bandwidth/sample_networks.hpp"
#include "unknot/collective/bandwidth/fraction.hpp"
#include "unknot/support/error.hpp"

namespace unknot::testing {

/// Cables, channels one way, parallel ones, and capacities of each direction's own or all alike; connected or
/// not.
inline Network uneven_network(std::uint32_t routers, std::uint32_t links, Random& random) {
  const std::uint32_t most = random.below(2) == 0 ? 1 : 12;
  NetworkBuilder builder;
  builder.add_routers(routers);
  for (std::uint32_t r = 0; r < routers; ++r) builder.add_terminal(RouterId(r));
  for (std::uint32_t i = 0; i < links; ++i) {
    const RouterId a(random.below(routers)), b(random.below(routers));
    if (a == b) continue;
    const bool one_way = random.below(2) == 0;
    if (one_way) {
      builder.add_channel(a, b);
    } else {
      builder.add_cable(a, b);
    }
    const std::uint32_t back = 1000 * (1 + random.below(most));
    builder.set_capacity(1000 * (1 + random.below(most)), one_way ? 0 : back);
  }
  return std::move(builder).build();
}

/// All-reduce among the first nodes; the others are switches. Nothing where a node has no channel in or out.
inline std::optional<BandwidthProblem> among(const Network& network, std::uint32_t members) {
  Participants who;
  who.nodes.emplace();
  for (std::uint32_t n = 0; n < members; ++n) who.nodes->emplace_back(n);
  try {
    return make_bandwidth_problem(routers_graph(network), "all-reduce", who);
  } catch (const InputError&) {
    return std::nullopt;
  }
}

/// The definitions, set by set. Members come first.
class AllSets {
 public:
  explicit AllSets(const BandwidthProblem& problem) : problem_(problem) {
    for (std::uint32_t set = 1; set < 1U << problem.graph->node_count(); ++set) {
      const std::uint32_t members = set & all_members();
      if (members == 0) continue;
      note(members, crossing(set, false), enters_);
      note(members, crossing(set, true), leaves_);
      if (members != all_members()) cut_ = std::min(cut_, crossing(set, false));
    }
  }

  [[nodiscard]] bool joined() const { return cut_ > 0; }
  [[nodiscard]] Fraction by_cuts() const { return {shares(1), cut_}; }
  /// Over all partitions of the members, each part with the switches that suit it.
  [[nodiscard]] Fraction by_partitions(bool leaving) const {
    Fraction most;
    divide(all_members(), 0, 0, leaving ? leaves_ : enters_, most);
    return most;
  }
  /// Over all ways to put each node into just one part, switches into none, too.
  [[nodiscard]] Fraction by_disjoint_sets(bool leaving) const {
    Fraction most;
    std::vector<std::uint32_t> parts;
    place(0, parts, leaving, most);
    return most;
  }

 private:
  using Costs = std::map<std::uint32_t, std::uint64_t>;

  [[nodiscard]] std::uint32_t all_members() const { return (1U << problem_.members.size()) - 1; }
  [[nodiscard]] std::uint64_t shares(std::uint64_t times) const { return times * problem_.members.size(); }

  [[nodiscard]] std::uint64_t crossing(std::uint32_t set, bool leaving) const {
    const NodeGraph& graph = *problem_.graph;
    std::uint64_t capacity = 0;
    for (const ArcId a : graph.arcs()) {
      const bool from = (set >> graph.tail(a).value & 1U) != 0, to = (set >> graph.head(a).value & 1U) != 0;
      if (from != to && from == leaving) capacity += graph.capacity(a);
    }
    return capacity;
  }

  static void note(std::uint32_t members, std::uint64_t capacity, Costs& costs) {
    const auto [at, fresh] = costs.try_emplace(members, capacity);
    if (!fresh) at->second = std::min(at->second, capacity);
  }

  void divide(std::uint32_t left, std::uint32_t parts, std::uint64_t capacity, const Costs& costs,
              Fraction& most) const {
    if (left == 0) {
      if (parts > 1) most = std::max(most, Fraction(shares(2 * (parts - 1)), capacity));
      return;
    }
    const std::uint32_t lowest = left & (~left + 1);
    for (std::uint32_t part = left; part != 0; part = (part - 1) & left) {
      if ((part & lowest) != 0) divide(left & ~part, parts + 1, capacity + costs.at(part), costs, most);
    }
  }

  void place(std::uint32_t node, std::vector<std::uint32_t>& parts, bool leaving, Fraction& most) const {
    if (node == problem_.graph->node_count()) {
      std::uint64_t capacity = 0;
      for (const std::uint32_t part : parts) capacity += crossing(part, leaving);
      if (parts.size() > 1) most = std::max(most, Fraction(shares(2 * (parts.size() - 1)), capacity));
      return;
    }
    for (std::size_t part = 0; part < parts.size(); ++part) {
      parts[part] |= 1U << node;
      place(node + 1, parts, leaving, most);
      parts[part] &= ~(1U << node);
    }
    if (node >= problem_.members.size()) {
      place(node + 1, parts, leaving, most);
      return;
    }
    parts.push_back(1U << node);
    place(node + 1, parts, leaving, most);
    parts.pop_back();
  }

  const BandwidthProblem& problem_;
  Costs enters_, leaves_;  // by members: the least over switches beside them
  std::uint64_t cut_ = UINT64_MAX;
};

/// What it costs at least that every member gets to know of every other, each message as much as it passes of
/// some channels; who sends tells all that it knows. All states of knowledge are looked at, by Dijkstra's
/// algorithm: nothing is known of groups or trees.
class Gossip {
 public:
  Gossip(const BandwidthProblem& problem, const std::vector<std::uint32_t>& length) {
    const NodeGraph& graph = *problem.graph;
    const auto nodes = graph.node_count();
    std::vector<std::vector<std::uint32_t>> far(nodes, std::vector<std::uint32_t>(nodes, kFar));
    for (std::uint32_t n = 0; n < nodes; ++n) far[n][n] = 0;
    for (const ArcId a : graph.arcs()) far[graph.tail(a).value][graph.head(a).value] = length[a.value];
    for (std::uint32_t k = 0; k < nodes; ++k) {
      for (auto& row : far) {
        for (std::uint32_t n = 0; n < nodes; ++n) row[n] = std::min(row[n], row[k] + far[k][n]);
      }
    }
    members_ = static_cast<std::uint32_t>(problem.members.size());
    far_ = std::move(far);
  }

  [[nodiscard]] std::uint32_t least() const {
    std::uint32_t start = 0;
    for (std::uint32_t m = 0; m < members_; ++m) start |= 1U << (members_ * m + m);
    const std::uint32_t all = (1U << members_ * members_) - 1;
    std::map<std::uint32_t, std::uint32_t> cost{{start, 0}};
    std::set<std::pair<std::uint32_t, std::uint32_t>> queue{{0, start}};
    while (!queue.empty()) {
      const auto [here, state] = *queue.begin();
      if (state == all) return here;
      queue.erase(queue.begin());
      for (std::uint32_t from = 0; from < members_; ++from) {
        const std::uint32_t told = state >> members_ * from & ((1U << members_) - 1);
        for (std::uint32_t to = 0; to < members_; ++to) {
          const std::uint32_t next = state | told << members_ * to;
          const std::uint32_t there = here + far_[from][to];
          if (next == state || far_[from][to] == kFar) continue;
          const auto [at, fresh] = cost.try_emplace(next, there);
          if (!fresh && at->second <= there) continue;
          queue.erase({at->second, next});
          at->second = there;
          queue.emplace(there, next);
        }
      }
    }
    return kFar;
  }

 private:
  static constexpr std::uint32_t kFar = 1'000'000;
  std::uint32_t members_ = 0;
  std::vector<std::vector<std::uint32_t>> far_;
};

/// As ChannelBound says it, by who reaches whom.
inline Fraction by_channels(const BandwidthProblem& problem, const std::vector<ArcId>& channels) {
  const NodeGraph& graph = *problem.graph;
  const auto nodes = graph.node_count();
  std::vector<std::vector<char>> reach(nodes, std::vector<char>(nodes, 0));
  for (std::uint32_t n = 0; n < nodes; ++n) reach[n][n] = 1;
  std::uint64_t capacity = 0;
  for (const ArcId a : graph.arcs()) {
    if (std::find(channels.begin(), channels.end(), a) == channels.end()) {
      reach[graph.tail(a).value][graph.head(a).value] = 1;
    } else {
      capacity += graph.capacity(a);
    }
  }
  for (std::uint32_t k = 0; k < nodes; ++k) {
    for (auto& row : reach) {
      for (std::uint32_t n = 0; n < nodes; ++n) row[n] = row[n] != 0 || (row[k] != 0 && reach[k][n] != 0);
    }
  }
  std::uint64_t first = 0, last = 0;
  bool both = false;
  for (const NodeId m : problem.members) {
    bool leads = true, is_first = true, is_last = true;
    for (const NodeId other : problem.members) {
      const bool there = reach[m.value][other.value] != 0, back = reach[other.value][m.value] != 0;
      if (there && back && other < m) leads = false;  // another speaks for the group
      is_first = is_first && (there || !back);
      is_last = is_last && (back || !there);
    }
    if (!leads) continue;
    first += is_first ? 1 : 0;
    last += is_last ? 1 : 0;
    both = both || (is_first && is_last);
  }
  return {(first + last - (both ? 2 : 1)) * problem.all_shares, capacity};
}

}  // namespace unknot::testing
