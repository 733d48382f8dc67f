// SPDX-License-Identifier: Apache-2.0
// Cuts along sweeps: nodes are taken in order of their numbers, and in the order in which a breadth-first
// search from each node comes to them, and those first that are nearer to the head of an arc than to its
// tail; every prefix is a cut.
#include <algorithm>
#include <utility>
#include <vector>

#include "unknot/collective/bounds/lower_bound.hpp"

namespace unknot {
namespace {

/// Sweeps stop here: messages and arcs looked at, in all.
constexpr std::uint64_t kMostWork = 50'000'000;

/// The prefix with most steps so far, over all sweeps.
struct Best {
  std::uint64_t messages = 0, capacity = 1;
  std::vector<NodeId> inside;
  CutProof::Direction direction = CutProof::Direction::out;
};

class Sweep {
 public:
  explicit Sweep(const Problem& problem)
      : problem_(problem), graph_(*problem.graph), groups_of_(graph_.node_count()) {
    for (std::uint32_t g = 0; g < problem.groups(); ++g) {
      for (const NodeId n : problem.partners(g)) groups_of_[n.value].push_back(g);
    }
  }

  void run(const std::vector<NodeId>& order, Best& best) {
    inside_.assign(graph_.node_count(), 0);
    partners_inside_.assign(problem_.groups(), 0);
    leave_ = enter_ = out_ = in_ = links_ = 0;
    // the whole network has no border
    for (std::size_t i = 0; i + 1 < order.size(); ++i) {
      add(order[i]);
      offer(order, i + 1, CutProof::Direction::out, leave_, out_, best);
      offer(order, i + 1, CutProof::Direction::in, enter_, in_, best);
      if (graph_.link_class() == LinkClass::half_duplex)
        offer(order, i + 1, CutProof::Direction::both, leave_ + enter_, links_, best);
    }
  }

 private:
  static void offer(const std::vector<NodeId>& order, std::size_t count, CutProof::Direction direction,
                    std::uint64_t messages, std::uint64_t capacity, Best& best) {
    if (capacity == 0 || messages * best.capacity <= best.messages * capacity) return;
    best.messages = messages;
    best.capacity = capacity;
    best.inside.assign(order.begin(), order.begin() + static_cast<std::ptrdiff_t>(count));
    best.direction = direction;
  }

  /// Messages of a group that leave the set, and that enter it.
  void count_group(std::uint32_t g, bool add) {
    const std::uint64_t total = problem_.partners(g).size();
    const std::uint64_t within = partners_inside_[g];
    const bool home = inside_[problem_.owner[g].value] != 0;
    std::uint64_t across = home ? total - within : within;
    if (problem_.delivery == Delivery::broadcast) across = across > 0 ? 1 : 0;
    std::uint64_t& sum = home ? leave_ : enter_;
    sum = add ? sum + across : sum - across;
  }

  void add(NodeId n) {
    for (const std::uint32_t g : groups_of_[n.value]) {
      count_group(g, false);
      ++partners_inside_[g];
      count_group(g, true);
    }
    const std::uint32_t own = problem_.group_of(n);
    if (own != Problem::kNone) count_group(own, false);
    inside_[n.value] = 1;
    if (own != Problem::kNone) count_group(own, true);
    add_arcs(n);
  }

  void add_arcs(NodeId n) {
    for (const ArcId a : graph_.out(n)) {
      const bool within = inside_[graph_.head(a).value] != 0;
      if (within) {
        in_ -= graph_.capacity(a);
      } else {
        out_ += graph_.capacity(a);
      }
      add_link(graph_.link(a), within);
    }
    for (const ArcId a : graph_.in(n)) {
      const bool within = inside_[graph_.tail(a).value] != 0;
      if (within) {
        out_ -= graph_.capacity(a);
      } else {
        in_ += graph_.capacity(a);
      }
      // a link with an arc each way has been counted above
      if (!graph_.find(n, graph_.tail(a)).valid()) add_link(graph_.link(a), within);
    }
  }
  void add_link(std::uint32_t link, bool within) {
    const std::uint64_t capacity = graph_.link_capacity(link);
    links_ = within ? links_ - capacity : links_ + capacity;
  }

  const Problem& problem_;
  const NodeGraph& graph_;
  std::vector<std::vector<std::uint32_t>> groups_of_;  // by node: those it is a partner in
  std::vector<std::uint8_t> inside_;
  std::vector<std::uint32_t> partners_inside_;  // by group
  std::uint64_t leave_ = 0, enter_ = 0, out_ = 0, in_ = 0, links_ = 0;
};

/// Routers in order of `key`, each followed by its terminals where those are nodes.
std::vector<NodeId> with_leaves(const NodeGraph& graph, const std::vector<NodeId>& routers) {
  std::vector<NodeId> order;
  order.reserve(graph.node_count());
  for (const NodeId r : routers) {
    order.push_back(r);
    for (const ArcId a : graph.out(r)) {
      if (graph.is_leaf(graph.head(a))) order.push_back(graph.head(a));
    }
  }
  return order;
}

std::vector<NodeId> by_hops(const NodeGraph& graph, NodeId from) {
  std::vector<std::uint32_t> hops;
  graph.distances_from(from, hops);
  std::vector<NodeId> routers;
  for (std::uint32_t r = 0; r < graph.router_count(); ++r) routers.emplace_back(r);
  std::stable_sort(routers.begin(), routers.end(),
                   [&](NodeId a, NodeId b) { return hops[a.value] < hops[b.value]; });
  return with_leaves(graph, routers);
}

/// Beginning with the nearer half, which on products and other networks of short ways no path leaves twice.
/// [the sets of Djokovic 1973]
std::vector<NodeId> by_side(const NodeGraph& graph, ArcId a) {
  std::vector<std::uint32_t> to_head, to_tail;
  graph.distances_from(graph.head(a), to_head);
  graph.distances_from(graph.tail(a), to_tail);
  std::vector<NodeId> routers;
  for (std::uint32_t r = 0; r < graph.router_count(); ++r) routers.emplace_back(r);
  const auto key = [&](NodeId n) {
    return std::pair(std::int64_t{to_head[n.value]} - to_tail[n.value], to_head[n.value]);
  };
  std::stable_sort(routers.begin(), routers.end(), [&](NodeId x, NodeId y) { return key(x) < key(y); });
  return with_leaves(graph, routers);
}

/// So many arcs between routers, all about the whole network, those of the first router before.
std::vector<ArcId> spread_arcs(const NodeGraph& graph, std::uint64_t count) {
  std::vector<ArcId> all, some;
  for (const ArcId a : graph.arcs()) {
    if (!graph.is_leaf(graph.tail(a)) && !graph.is_leaf(graph.head(a))) all.push_back(a);
  }
  for (std::size_t i = 0; i < all.size() && graph.tail(all[i]) == NodeId(0) && some.size() < count; ++i)
    some.push_back(all[i]);
  const std::uint64_t rest = std::min<std::uint64_t>(count, all.size()) - some.size();
  for (std::uint64_t i = 0; i < rest; ++i) some.push_back(all[i * all.size() / rest]);
  return some;
}

}  // namespace

std::optional<BoundProof> cut_bound(const Problem& problem, const BoundOptions& /*options*/) {
  const NodeGraph& graph = *problem.graph;
  Sweep sweep(problem);
  Best best;
  std::vector<NodeId> routers;
  for (std::uint32_t r = 0; r < graph.router_count(); ++r) routers.emplace_back(r);
  sweep.run(with_leaves(graph, routers), best);
  const std::uint64_t a_sweep = std::uint64_t{problem.messages()} + graph.arc_count() + 1;
  const std::uint64_t sweeps = std::min<std::uint64_t>(routers.size(), kMostWork / a_sweep);
  for (std::uint64_t i = 0; i < sweeps; ++i)
    sweep.run(by_hops(graph, NodeId(static_cast<std::uint32_t>(i * routers.size() / sweeps))), best);
  for (const ArcId a : spread_arcs(graph, kMostWork / a_sweep)) sweep.run(by_side(graph, a), best);
  if (best.messages == 0) return std::nullopt;
  std::sort(best.inside.begin(), best.inside.end());
  return CutProof{std::move(best.inside), best.direction};
}

}  // namespace unknot
