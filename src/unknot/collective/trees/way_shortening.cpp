// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/trees/way_shortening.hpp"

#include <algorithm>
#include <numeric>

namespace unknot {
namespace {

constexpr int kMostPasses = 8;

class Shortening {
 public:
  Shortening(const BandwidthProblem& problem, const BandwidthCut& optimum, MemberGraph& graph)
      : problem_(problem), graph_(*problem.graph), members_(graph), left_(graph_.arc_count()) {
    // Trees that an arc can take: copies * time * capacity, a whole number.
    const Fraction trees(graph.copies, optimum.capacity / std::gcd(optimum.capacity, optimum.shares));
    const std::uint64_t shares = optimum.shares / std::gcd(optimum.capacity, optimum.shares);
    for (const ArcId a : graph_.arcs())
      left_[a.value] = graph_.capacity(a) * trees.over() / trees.under() * shares;
    for (const MemberGraph::Arc& arc : graph.arcs) {
      for (const MemberGraph::Way& way : arc.ways) take(way);
    }
  }

  /// One after the other; what they leave lets others be shorter, and so on.
  void run() {
    for (int pass = 0; pass < kMostPasses && shorten_all(); ++pass) {
    }
  }

 private:
  /// Whether any has become shorter.
  bool shorten_all() {
    struct Long {
      std::uint32_t arc, way;
      std::size_t excess;
    };
    std::vector<Long> longer;
    std::vector<std::uint32_t> hops;
    NodeId from;
    for (std::uint32_t a = 0; a < members_.arcs.size(); ++a) {
      const MemberGraph::Arc& arc = members_.arcs[a];
      if (members_.members[arc.tail] != from) {
        from = members_.members[arc.tail];
        graph_.distances_from(from, hops);
      }
      const std::size_t shortest = hops[members_.members[arc.head].value] + std::size_t{1};
      for (std::uint32_t w = 0; w < arc.ways.size(); ++w) {
        if (arc.ways[w].nodes.size() > shortest)
          longer.push_back({a, w, arc.ways[w].nodes.size() - shortest});
      }
    }
    std::stable_sort(longer.begin(), longer.end(),
                     [](const Long& a, const Long& b) { return a.excess > b.excess; });
    bool any = false;
    for (const Long& one : longer) {
      MemberGraph::Way& way = members_.arcs[one.arc].ways[one.way];
      const std::size_t before = way.nodes.size();
      shorten(way);
      any = any || way.nodes.size() < before;
    }
    return any;
  }

  void take(const MemberGraph::Way& way) {
    for (std::size_t i = 0; i + 1 < way.nodes.size(); ++i)
      left_[graph_.find(way.nodes[i], way.nodes[i + 1]).value] -= way.amount;
  }

  /// Never longer than it was: what it takes is free for it.
  void shorten(MemberGraph::Way& way) {
    for (std::size_t i = 0; i + 1 < way.nodes.size(); ++i)
      left_[graph_.find(way.nodes[i], way.nodes[i + 1]).value] += way.amount;
    const NodeId from = way.nodes.front(), to = way.nodes.back();
    before_.assign(graph_.node_count(), NodeId());
    queue_.assign(1, from);
    before_[from.value] = from;
    for (std::size_t i = 0; i < queue_.size() && !before_[to.value].valid(); ++i) {
      for (const ArcId a : graph_.out(queue_[i])) {
        const NodeId next = graph_.head(a);
        if (left_[a.value] < way.amount || before_[next.value].valid()) continue;
        if (next != to && (graph_.is_leaf(next) || problem_.is_member(next))) continue;
        before_[next.value] = queue_[i];
        queue_.push_back(next);
      }
    }
    way.nodes.assign(1, to);
    while (way.nodes.back() != from) way.nodes.push_back(before_[way.nodes.back().value]);
    std::reverse(way.nodes.begin(), way.nodes.end());
    take(way);
  }

  const BandwidthProblem& problem_;
  const NodeGraph& graph_;
  MemberGraph& members_;
  std::vector<std::uint64_t> left_;  // by arc: trees that it could take more
  std::vector<NodeId> before_, queue_;
};

}  // namespace

void shorten_ways(const BandwidthProblem& problem, const BandwidthCut& optimum, MemberGraph& graph) {
  Shortening(problem, optimum, graph).run();
}

}  // namespace unknot
