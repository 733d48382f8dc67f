// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/priced/channel_bound.hpp"

#include <algorithm>
#include <map>
#include <utility>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::size_t kMostStarts = 40;

/// Nodes that reach each other over arcs that are not paid for [Tarjan 1972], and what is first and last of
/// those with members.
class FreeGroups {
 public:
  FreeGroups(const BandwidthProblem& problem, const std::vector<std::uint8_t>& paid)
      : graph_(*problem.graph), paid_(paid), group_(graph_.node_count(), kNone) {
    find_groups();
    std::vector<std::uint8_t> has(groups_, 0);
    for (const NodeId n : problem.members) has[group_[n.value]] = 1;
    // Groups are numbered such that arcs lead to lower numbers, and nodes are in order of their groups.
    std::vector<std::uint8_t> before(groups_, 0), behind(groups_, 0);
    const auto lead = [&](NodeId n, const auto& note) {
      for (const ArcId a : graph_.out(n)) {
        const std::uint32_t from = group_[n.value], to = group_[graph_.head(a).value];
        if (paid_[a.value] == 0 && from != to) note(from, to);
      }
    };
    for (const NodeId n : order_)
      lead(n, [&](std::uint32_t from, std::uint32_t to) { behind[from] |= behind[to] | has[to]; });
    std::for_each(order_.rbegin(), order_.rend(), [&](NodeId n) {
      lead(n, [&](std::uint32_t from, std::uint32_t to) { before[to] |= before[from] | has[from]; });
    });
    for (std::uint32_t g = 0; g < groups_; ++g) {
      if (has[g] == 0) continue;
      first_ += before[g] == 0 ? 1 : 0;
      last_ += behind[g] == 0 ? 1 : 0;
      both_ = both_ || (before[g] == 0 && behind[g] == 0);
    }
  }

  [[nodiscard]] std::uint32_t of(NodeId n) const { return group_[n.value]; }
  /// Passes for each share.
  [[nodiscard]] std::uint64_t passes() const { return first_ + last_ - (both_ ? 2 : 1); }

 private:
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;
  struct Visit {
    NodeId node;
    std::uint32_t next;  // of its arcs
  };

  void find_groups() {
    std::vector<std::uint32_t> seen(graph_.node_count(), kNone), low(graph_.node_count(), 0);
    std::vector<NodeId> open;
    std::vector<Visit> way;
    std::uint32_t count = 0;
    const auto enter = [&](NodeId n) {
      seen[n.value] = low[n.value] = count++;
      open.push_back(n);
      way.push_back({n, graph_.out(n).first()});
    };
    for (const NodeId start : graph_.nodes()) {
      if (seen[start.value] == kNone) enter(start);
      while (!way.empty()) {
        const NodeId n = way.back().node;
        if (way.back().next < graph_.out(n).last()) {
          const ArcId a(way.back().next++);
          const NodeId to = graph_.head(a);
          if (paid_[a.value] != 0) continue;
          if (seen[to.value] == kNone) {
            enter(to);
          } else if (group_[to.value] == kNone) {
            low[n.value] = std::min(low[n.value], seen[to.value]);
          }
          continue;
        }
        way.pop_back();
        if (!way.empty()) low[way.back().node.value] = std::min(low[way.back().node.value], low[n.value]);
        if (low[n.value] != seen[n.value]) continue;
        while (group_[n.value] == kNone) {
          group_[open.back().value] = groups_;
          order_.push_back(open.back());
          open.pop_back();
        }
        ++groups_;
      }
    }
  }

  const NodeGraph& graph_;
  const std::vector<std::uint8_t>& paid_;  // by arc
  std::vector<std::uint32_t> group_;       // by node
  std::vector<NodeId> order_;
  std::uint32_t groups_ = 0;
  std::uint64_t first_ = 0, last_ = 0;
  bool both_ = false;
};

Fraction time_of(const BandwidthProblem& problem, const std::vector<std::uint8_t>& paid) {
  std::uint64_t capacity = 0;
  for (const ArcId a : problem.graph->arcs()) capacity += paid[a.value] != 0 ? problem.graph->capacity(a) : 0;
  if (capacity == 0) return {};
  return {FreeGroups(problem, paid).passes() * problem.all_shares, capacity};
}

/// From channels on, those between two groups after the other are taken out until none is left.
class TakingOut {
 public:
  TakingOut(const BandwidthProblem& problem, const std::vector<ArcId>& given)
      : problem_(problem), paid_(problem.graph->arc_count(), 0) {
    for (const ArcId a : given) paid_[a.value] = 1;
  }

  /// `best`: in and out.
  void run(std::vector<std::uint8_t>& channels, Fraction& best, Progress& progress) {
    while (true) {
      if (progress.interrupted()) throw Interrupted();
      std::vector<std::vector<ArcId>> bundles = find_bundles();
      if (const Fraction time = time_of(problem_, paid_); time > best) {
        best = time;
        channels = paid_;
      }
      if (bundles.empty()) return;
      const std::vector<ArcId>* out = nullptr;
      Fraction most;
      for (const std::vector<ArcId>& bundle : bundles) {
        set(bundle, 0);
        const Fraction time = time_of(problem_, paid_);
        set(bundle, 1);
        if (out != nullptr && time <= most) continue;
        out = &bundle;
        most = time;
      }
      set(*out, 0);
    }
  }

  void set(const std::vector<ArcId>& arcs, std::uint8_t paid) {
    for (const ArcId a : arcs) paid_[a.value] = paid;
  }

  /// Arcs by the groups that they join; those that join none are no longer paid for.
  std::vector<std::vector<ArcId>> find_bundles() {
    const NodeGraph& graph = *problem_.graph;
    const FreeGroups groups(problem_, paid_);
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<ArcId>> by_ends;
    for (const ArcId a : graph.arcs()) {
      if (paid_[a.value] == 0) continue;
      const std::uint32_t from = groups.of(graph.tail(a)), to = groups.of(graph.head(a));
      if (from == to) {
        paid_[a.value] = 0;
      } else {
        by_ends[{from, to}].push_back(a);
      }
    }
    std::vector<std::vector<ArcId>> bundles;
    bundles.reserve(by_ends.size());
    for (auto& [ends, arcs] : by_ends) bundles.push_back(std::move(arcs));
    return bundles;
  }

 private:
  const BandwidthProblem& problem_;
  std::vector<std::uint8_t> paid_;  // by arc
};

std::vector<ArcId> listed(const std::vector<std::uint8_t>& paid) {
  std::vector<ArcId> arcs;
  for (std::uint32_t a = 0; a < paid.size(); ++a) {
    if (paid[a] != 0) arcs.emplace_back(a);
  }
  return arcs;
}

}  // namespace

ChannelBound count_channels(const BandwidthProblem& problem, const std::vector<ArcId>& channels) {
  std::vector<std::uint8_t> paid(problem.graph->arc_count(), 0);
  for (const ArcId a : channels) paid[a.value] = 1;
  ChannelBound bound;
  bound.channels = listed(paid);
  for (const ArcId a : bound.channels) bound.capacity += problem.graph->capacity(a);
  bound.shares = FreeGroups(problem, paid).passes() * problem.all_shares;
  return bound;
}

std::optional<ChannelBound> better_channels(const BandwidthProblem& problem,
                                            const std::vector<std::vector<ArcId>>& given,
                                            const Fraction& time, Progress& progress) {
  if (problem.graph->arc_count() > kMostChannels || problem.powers.any()) return std::nullopt;
  std::vector<std::uint8_t> channels;
  Fraction best = time;
  for (const std::vector<ArcId>& some : given) {
    TakingOut(problem, some).run(channels, best, progress);
    const std::vector<std::vector<ArcId>> bundles = TakingOut(problem, some).find_bundles();
    if (bundles.size() > kMostStarts) continue;
    for (const std::vector<ArcId>& first : bundles) {
      TakingOut without(problem, some);
      without.set(first, 0);
      without.run(channels, best, progress);
    }
  }
  if (channels.empty()) return std::nullopt;
  return count_channels(problem, listed(channels));
}

}  // namespace unknot
