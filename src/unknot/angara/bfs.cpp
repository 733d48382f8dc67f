// SPDX-License-Identifier: Apache-2.0
// The paper's BFS algorithm [section 4.1, Algorithms 1 and 2]: one breadth-first search over the routing
// graph from each node. Before a level is expanded its vertices are sorted by the weights of the channels
// they may take next; the first vertex to reach another one becomes its parent. The routes found add one to
// the weight of each of their channels. The next source is the one farthest from the last.
//
// The paper does not say what a vertex is sorted by: `key` takes the smallest of those weights or their sum.
// The order of equals is that of the search.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "unknot/angara/engines.hpp"
#include "unknot/angara/system.hpp"
#include "unknot/support/error.hpp"

namespace unknot::angara {
namespace {

using State = RoutingGraph::State;

class Bfs {
 public:
  Bfs(const System& system, bool by_sum)
      : graph_(system.graph),
        torus_(system.torus),
        network_(system.torus.network()),
        by_sum_(by_sum),
        load_(torus_.slot_count(), 0),
        reached_(graph_.vertex_count(), 0),
        parent_(graph_.vertex_count()),
        end_(torus_.node_count()),
        hops_(torus_.node_count()) {}

  RouteTable run(Progress& progress) {
    const std::uint32_t terminals = network_.terminal_count();
    table_.resize(static_cast<std::size_t>(terminals) * terminals);
    std::vector<bool> done(terminals, false);
    progress.begin("searching routes", terminals);
    TerminalId source(0);
    for (std::uint32_t count = 0; count < terminals; ++count) {
      done[source.value] = true;
      search(network_.router_of(source).value);
      take_routes(source);
      // Farthest of those left; one that cannot be reached counts as next door.
      TerminalId next;
      for (const TerminalId t : network_.terminals()) {
        if (!done[t.value] && (!next.valid() || hops_to(t) > hops_to(next))) next = t;
      }
      source = next;
      progress.update(count + 1);
      if (progress.interrupted()) throw Interrupted();
    }
    return std::move(table_);
  }

 private:
  struct Entry {
    std::uint64_t key;
    std::uint32_t node;
    State state;
  };

  [[nodiscard]] std::uint32_t hops_to(TerminalId t) const { return hops_[network_.router_of(t).value]; }

  [[nodiscard]] std::uint64_t key(std::uint32_t node, State state) const {
    std::uint64_t smallest = std::numeric_limits<std::uint64_t>::max();
    std::uint64_t sum = 0;
    for (const RoutingGraph::Move& move : graph_.moves(state)) {
      if (move.direction == RoutingGraph::kNoDirection) continue;
      const std::uint32_t slot = graph_.slot_of(node, state, move);
      if (slot == Torus::kNone) continue;
      smallest = std::min<std::uint64_t>(smallest, load_[slot]);
      sum += load_[slot];
    }
    return by_sum_ ? sum : smallest;
  }

  void search(std::uint32_t source) {
    ++round_;
    std::fill(hops_.begin(), hops_.end(), 0);
    std::fill(end_.begin(), end_.end(), Torus::kNone);
    level_.assign(1, {0, source, RoutingGraph::begin()});
    reached_[graph_.vertex(source, RoutingGraph::begin())] = round_;
    missing_ = torus_.node_count();
    // What comes after the last end vertex changes no route.
    for (std::uint32_t depth = 0; !level_.empty() && missing_ > 0; ++depth) {
      for (Entry& entry : level_) entry.key = key(entry.node, entry.state);
      std::stable_sort(level_.begin(), level_.end(),
                       [](const Entry& a, const Entry& b) { return a.key < b.key; });
      next_level_.clear();
      for (const Entry& entry : level_) expand(entry, depth);
      level_.swap(next_level_);
    }
  }

  void expand(const Entry& from, std::uint32_t depth) {
    const std::uint32_t vertex = graph_.vertex(from.node, from.state);
    for (const RoutingGraph::Move& move : graph_.moves(from.state)) {
      if (move.direction == RoutingGraph::kNoDirection) {
        if (end_[from.node] == Torus::kNone) {
          end_[from.node] = vertex;
          hops_[from.node] = depth;
          --missing_;
        }
        continue;
      }
      const std::uint32_t slot = graph_.slot_of(from.node, from.state, move);
      if (slot == Torus::kNone) continue;
      const std::uint32_t to = torus_.next(slot);
      const std::uint32_t next = graph_.vertex(to, move.to);
      if (reached_[next] == round_) continue;
      reached_[next] = round_;
      parent_[next] = vertex;
      next_level_.push_back({0, to, move.to});
    }
  }

  /// Walks back from each end vertex.
  void take_routes(TerminalId source) {
    RouteCode* const row = table_.data() + static_cast<std::size_t>(source.value) * network_.terminal_count();
    const std::uint32_t begin = graph_.vertex(network_.router_of(source).value, RoutingGraph::begin());
    for (const TerminalId t : network_.terminals()) {
      std::uint32_t vertex = end_[network_.router_of(t).value];
      if (vertex == Torus::kNone) continue;
      directions_.clear();
      for (; vertex != begin; vertex = parent_[vertex]) {
        const Direction d = graph_.entered_by(static_cast<State>(vertex % graph_.states()));
        directions_.push_back(d);
        ++load_[torus_.entering(vertex / graph_.states(), d)];
      }
      std::reverse(directions_.begin(), directions_.end());
      row[t.value] = encode(torus_, directions_).value();
    }
  }

  const RoutingGraph& graph_;
  const Torus& torus_;
  const Network& network_;
  bool by_sum_;
  std::vector<std::uint32_t> load_;     // by slot
  std::vector<std::uint32_t> reached_;  // by vertex: round
  std::vector<std::uint32_t> parent_;   // by vertex
  std::vector<std::uint32_t> end_;      // by node: parent of its end vertex
  std::vector<std::uint32_t> hops_;     // by node: of the route from the last source, 0 without one
  std::uint32_t round_ = 0;
  std::uint32_t missing_ = 0;  // end vertices not yet reached
  std::vector<Entry> level_, next_level_;
  std::vector<Direction> directions_;
  RouteTable table_;
};

}  // namespace

Engine bfs_engine() {
  return torus_engine(
      "angara-bfs", "source routes of a torus with bubble flow control, by breadth-first search",
      {{.name = "key",
        .kind = ParameterKind::text,
        .help = "what a level is sorted by: the smallest weight of the next channels, or their sum",
        .fallback = "min",
        .choices = {"min", "sum"}}},
      [](const System& system, const EngineRequest& request, Progress& progress) {
        Bfs bfs(system, request.parameters.text("key") == "sum");
        return to_routing(system, bfs.run(progress), "angara-bfs", request.threads);
      });
}

}  // namespace unknot::angara
