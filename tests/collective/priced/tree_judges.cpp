// SPDX-License-Identifier: Apache-2.0
#include "collective/priced/tree_judges.hpp"

#include <algorithm>
#include <functional>
#include <set>

#include "unknot/support/solve/linear_program.hpp"

namespace unknot::testing {
namespace {

using Entry = LinearProgram::Entry;
using Program = LinearProgram;

/// Channels by their ends, and how much each carries.
class Channels {
 public:
  explicit Channels(const NodeGraph& graph) : graph_(graph) {
    for (const ArcId a : graph.arcs())
      capacity_[{graph.tail(a).value, graph.head(a).value}] = graph.capacity(a);
  }
  bool follow(std::span<const NodeId> way, std::uint64_t amount, bool backwards) {
    for (std::size_t i = 0; i + 1 < way.size(); ++i) {
      std::pair<std::uint32_t, std::uint32_t> ends{way[i].value, way[i + 1].value};
      if (backwards) std::swap(ends.first, ends.second);
      if (!capacity_.contains(ends)) return false;
      if (i > 0 && graph_.is_leaf(way[i])) return false;
      carried_[ends] += amount;
    }
    return true;
  }
  [[nodiscard]] Fraction time(std::uint64_t copies) const {
    Fraction most;
    for (const auto& [ends, amount] : carried_)
      most = std::max(most, Fraction(amount, copies * capacity_.at(ends)));
    return most;
  }

 private:
  const NodeGraph& graph_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> capacity_, carried_;
};

using Contributions = std::set<std::uint32_t>;

}  // namespace

Played play_forest(std::span<const BandwidthProblem> groups, const Forest& forest) {
  Channels channels(*groups.front().graph);
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint64_t> delivered;  // group, owner: parts
  for (const Forest::Tree& tree : forest.trees) {
    const BandwidthProblem& problem = groups[tree.group];
    std::map<std::uint32_t, Contributions> at;
    Contributions all;
    if (problem.all_reduce) {
      for (const NodeId n : problem.members) {
        at[n.value] = {n.value};
        all.insert(n.value);
      }
      std::vector<std::pair<NodeId, NodeId>> sends;
      if (tree.inward.empty()) {
        for (auto e = tree.edges.rbegin(); e != tree.edges.rend(); ++e) {
          sends.emplace_back(e->to, e->from);
          if (!channels.follow(forest.way(e->way), tree.copies, true)) return {"no such channel", {}};
        }
      } else {
        for (const Forest::Edge& e : tree.inward) {
          sends.emplace_back(e.from, e.to);
          if (!channels.follow(forest.way(e.way), tree.copies, false)) return {"no such channel", {}};
        }
      }
      std::map<std::uint32_t, int> received;
      for (const auto& [from, to] : sends) {
        if (!problem.is_member(to) && ++received[to.value] > 1 && !problem.powers.sum)
          return {"a switch sums", {}};
        for (const std::uint32_t one : at[from.value]) {
          if (!at[to.value].insert(one).second) return {"summed twice", {}};
        }
        at[from.value].clear();  // it is sent, and no longer summed to
      }
      if (at[tree.root.value] != all) return {"the root has not all", {}};
      at.clear();
    } else {
      all = {tree.root.value};
    }
    at[tree.root.value] = all;
    std::map<std::uint32_t, int> sent;
    for (const Forest::Edge& e : tree.edges) {
      if (at[e.from.value] != all) return {"sent before it is there", {}};
      const bool may = problem.backward ? problem.powers.sum : problem.powers.copy;
      if (!problem.is_member(e.from) && ++sent[e.from.value] > 1 && !may) return {"a switch copies", {}};
      at[e.to.value] = all;
      if (!channels.follow(forest.way(e.way), tree.copies, false)) return {"no such channel", {}};
    }
    for (const NodeId n : problem.members) {
      if (at[n.value] != all) return {"somebody lacks it", {}};
    }
    delivered[{tree.group, problem.all_reduce ? 0 : tree.root.value}] += tree.copies;
  }
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    if (groups[g].all_reduce && delivered[{g, 0}] != forest.copies * groups[g].all_shares)
      return {"parts are missing", {}};
    if (groups[g].all_reduce) continue;
    for (const NodeId n : groups[g].members) {
      if (delivered[{g, n.value}] != forest.copies * groups[g].shares[n.value])
        return {"parts are missing", {}};
    }
  }
  return {"", channels.time(forest.copies)};
}

namespace {

/// Rows by which amounts of pairs hold as much as trees from or to a root need, and flow in the network.
class FlowProgram {
 public:
  explicit FlowProgram(std::span<const BandwidthProblem> groups) : graph_(*groups.front().graph) {
    for (std::uint32_t a = 0; a < graph_.arc_count(); ++a) load_.push_back(row(-Program::kInfinity, 0));
    std::vector<Entry> time;
    for (const ArcId a : graph_.arcs())
      time.push_back({load_[a.value], -static_cast<double>(graph_.capacity(a))});
    columns_.push_back({1, time});
    for (const BandwidthProblem& problem : groups) {
      if (problem.all_reduce) {
        const auto all = static_cast<double>(problem.all_shares);
        const std::uint32_t together = row(all, all);
        for (const NodeId root : problem.members) {
          std::vector<Entry> weight{{together, 1}};
          add_trees(problem, root, false, 0, &weight);
          add_trees(problem, root, true, 0, &weight);
          columns_.push_back({0, weight});
        }
      } else {
        for (const NodeId root : problem.members) {
          if (problem.shares[root.value] > 0)
            add_trees(problem, root, false, static_cast<double>(problem.shares[root.value]), nullptr);
        }
      }
    }
  }

  double solve() const {
    Program program;
    for (const auto& [lower, upper] : rows_) program.add_row(lower, upper);
    for (const auto& [cost, entries] : columns_) program.add_column(cost, entries);
    return program.solve().objective;
  }

 private:
  std::uint32_t row(double lower, double upper) {
    rows_.emplace_back(lower, upper);
    return static_cast<std::uint32_t>(rows_.size() - 1);
  }

  /// `weight`: entries of a variable that `amount` is instead.
  void add_trees(const BandwidthProblem& problem, NodeId root, bool inward, double amount,
                 std::vector<Entry>* weight) {
    const std::vector<NodeId>& members = problem.members;
    // For each member a flow of the amount over pairs of members; for each pair as much as the largest flow.
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::uint32_t>> room;  // by pair, rows
    for (const NodeId sink : members) {
      if (sink == root) continue;
      std::map<std::uint32_t, std::uint32_t> balance;
      for (const NodeId n : members) {
        const double out = n == root ? amount : n == sink ? -amount : 0;
        balance[n.value] = row(out, out);
        if (weight != nullptr && n == root) weight->push_back({balance[n.value], -1});
        if (weight != nullptr && n == sink) weight->push_back({balance[n.value], 1});
      }
      for (const NodeId u : members) {
        for (const NodeId v : members) {
          if (u == v) continue;
          const std::uint32_t most = row(-Program::kInfinity, 0);
          room[{u.value, v.value}].push_back(most);
          columns_.push_back({0, {{balance[u.value], 1}, {balance[v.value], -1}, {most, 1}}});
        }
      }
    }
    for (const auto& [pair, rows] : room) {
      const std::uint32_t from = inward ? pair.second : pair.first, to = inward ? pair.first : pair.second;
      // The pair's amount, as a flow in the network.
      std::vector<std::uint32_t> balance;
      std::vector<Entry> pair_amount;
      for (const std::uint32_t most : rows) pair_amount.push_back({most, -1});
      for (const NodeId n : graph_.nodes()) {
        balance.push_back(row(0, 0));
        if (n.value == from) pair_amount.push_back({balance.back(), -1});
        if (n.value == to) pair_amount.push_back({balance.back(), 1});
      }
      columns_.push_back({0, pair_amount});
      for (const ArcId a : graph_.arcs()) {
        const std::uint32_t tail = graph_.tail(a).value, head = graph_.head(a).value;
        if (graph_.is_leaf(NodeId(tail)) && tail != from) continue;
        columns_.push_back({0, {{load_[a.value], 1}, {balance[tail], 1}, {balance[head], -1}}});
      }
    }
  }

  const NodeGraph& graph_;
  std::vector<std::uint32_t> load_;
  std::vector<std::pair<double, double>> rows_;
  std::vector<std::pair<double, std::vector<Entry>>> columns_;
};

/// The arcs of every tree from a root to all members by any nodes, none of which ends at another.
std::vector<std::vector<ArcId>> all_trees(const BandwidthProblem& problem, NodeId root, bool inward) {
  const NodeGraph& graph = *problem.graph;
  std::vector<std::vector<ArcId>> choices(graph.node_count());  // by node: the arc from what is above it
  for (const ArcId a : graph.arcs()) {
    const NodeId above = inward ? graph.head(a) : graph.tail(a),
                 below = inward ? graph.tail(a) : graph.head(a);
    const bool ends = graph.is_leaf(above) && !problem.is_member(above);
    if (below != root && !ends) choices[below.value].push_back(a);
  }
  std::vector<std::vector<ArcId>> trees;
  std::vector<ArcId> above(graph.node_count());
  const auto up = [&](NodeId n) { return inward ? graph.head(above[n.value]) : graph.tail(above[n.value]); };
  const std::function<void(std::uint32_t)> choose = [&](std::uint32_t n) {
    if (n < graph.node_count()) {
      if (!problem.is_member(NodeId(n)) || NodeId(n) == root) {
        above[n] = ArcId();
        choose(n + 1);
      }
      for (const ArcId a : choices[n]) {
        above[n] = a;
        choose(n + 1);
      }
      return;
    }
    std::vector<ArcId> arcs;
    std::vector<std::uint32_t> children(graph.node_count(), 0);
    for (const NodeId one : graph.nodes()) {
      if (!above[one.value].valid()) continue;
      arcs.push_back(above[one.value]);
      ++children[up(one).value];
      NodeId at = one;
      for (std::uint32_t steps = 0; at != root; ++steps) {
        if (!above[at.value].valid() || steps > graph.node_count()) return;  // hangs from nothing
        at = up(at);
      }
    }
    for (const NodeId one : graph.nodes()) {
      if (above[one.value].valid() && !problem.is_member(one) && children[one.value] == 0) return;
    }
    trees.push_back(arcs);
  };
  choose(0);
  return trees;
}

}  // namespace

double least_time_by_flows(std::span<const BandwidthProblem> groups) {
  return FlowProgram(groups).solve();
}

double least_time_of_all_trees(const BandwidthProblem& problem) {
  const NodeGraph& graph = *problem.graph;
  Program program;
  std::vector<Entry> time;
  for (const ArcId a : graph.arcs()) {
    program.add_row(-Program::kInfinity, 0);
    time.push_back({a.value, -static_cast<double>(graph.capacity(a))});
  }
  struct Column {
    std::vector<Entry> entries;
  };
  std::vector<Column> columns;
  const auto add_trees = [&](NodeId root, bool inward, std::uint32_t row) {
    for (const std::vector<ArcId>& tree : all_trees(problem, root, inward)) {
      Column& column = columns.emplace_back();
      for (const ArcId a : tree) column.entries.push_back({a.value, 1});
      column.entries.push_back({row, 1});
    }
  };
  if (!problem.all_reduce) {
    for (const NodeId root : problem.members) {
      const double shares = problem.shares[root.value];
      if (shares > 0) add_trees(root, false, program.add_row(shares, shares));
    }
  } else {
    const auto all = static_cast<double>(problem.all_shares);
    const std::uint32_t together = program.add_row(all, all);
    for (const NodeId root : graph.nodes()) {
      if (graph.is_leaf(root) && !problem.is_member(root)) continue;
      const std::uint32_t in = program.add_row(0, 0), out = program.add_row(0, 0);
      add_trees(root, true, in);
      add_trees(root, false, out);
      columns.push_back({{{together, 1}, {in, -1}, {out, -1}}});
    }
  }
  program.add_column(1, time);
  for (const Column& column : columns) program.add_column(0, column.entries);
  return program.solve().objective;
}

}  // namespace unknot::testing
