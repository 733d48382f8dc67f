// SPDX-License-Identifier: Apache-2.0
// Least steps, not whole, in which the flows of all sources fit: one commodity for each source. Its dual
// gives lengths of arcs, which are the proof once rounded to whole numbers. Where the program is large,
// lengths that are nearly as good come from exponential ones (bounds/concurrent_flow.hpp).
#include <algorithm>
#include <cmath>
#include <numeric>
#include <vector>

#include "unknot/collective/bounds/flow_network.hpp"
#include "unknot/collective/bounds/lower_bound.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/support/solve/linear_program.hpp"

namespace unknot {
namespace {

class Program {
 public:
  explicit Program(const Problem& problem) : problem_(problem), graph_(*problem.graph) {}

  std::vector<double> duals() {
    constexpr double kInfinity = LinearProgram::kInfinity;
    std::vector<LinearProgram::Entry> steps;
    for (const ArcId a : graph_.arcs())
      steps.push_back({program_.add_row(-kInfinity, 0), -static_cast<double>(graph_.capacity(a))});
    if (half_duplex()) {
      for (std::uint32_t link = 0; link < graph_.link_count(); ++link)
        steps.push_back({program_.add_row(-kInfinity, 0), -static_cast<double>(graph_.link_capacity(link))});
    }
    program_.add_column(1, steps);
    for (std::uint32_t g = 0; g < problem_.groups(); ++g) add_source(g);
    const LinearProgram::Solution solution = program_.solve();
    return solution.optimal ? solution.dual : std::vector<double>();
  }

 private:
  [[nodiscard]] bool half_duplex() const { return graph_.link_class() == LinkClass::half_duplex; }

  void add_source(std::uint32_t group) {
    const NodeId owner = problem_.owner[group];
    graph_.distances_from(owner, hops_);
    // a node keeps its message at least, and passes on what more comes in
    const std::uint32_t first = program_.rows();
    for (const NodeId n : graph_.nodes()) {
      const double kept = problem_.message_of(group, n) == Problem::kNone ? 0 : 1;
      program_.add_row(n == owner ? -LinearProgram::kInfinity : kept, LinearProgram::kInfinity);
    }
    std::vector<LinearProgram::Entry> entries;
    for (const ArcId a : graph_.arcs()) {
      const NodeId from = graph_.tail(a);
      const NodeId to = graph_.head(a);
      if (hops_[from.value] == NodeGraph::kUnreached || to == owner) continue;
      if (graph_.is_leaf(from) && from != owner) continue;
      if (graph_.is_leaf(to) && problem_.message_of(group, to) == Problem::kNone) continue;
      if (problem_.extra_hops == 0 && hops_[to.value] != hops_[from.value] + 1) continue;
      entries.assign({{a.value, 1}});
      if (half_duplex()) entries.push_back({graph_.arc_count() + graph_.link(a), 1});
      if (from != owner) entries.push_back({first + from.value, -1});
      entries.push_back({first + to.value, 1});
      program_.add_column(0, entries);
    }
  }

  const Problem& problem_;
  const NodeGraph& graph_;
  LinearProgram program_;
  std::vector<std::uint32_t> hops_;
};

/// Times as many columns of the program are taken on by exponential lengths.
constexpr std::uint64_t kMoreColumns = 20;
constexpr double kGap = 1e-3;
constexpr std::uint32_t kMostRounds = 150;

/// Positive lengths of arcs, then of links, in whole numbers.
std::optional<BoundProof> whole_lengths(const std::vector<double>& length, std::size_t arcs) {
  double largest = 0;
  for (const double one : length) largest = std::max(largest, one);
  if (largest <= 0) return std::nullopt;
  std::vector<std::uint32_t> whole;
  whole.reserve(length.size());
  std::uint32_t divisor = 0;
  for (const double one : length) {
    whole.push_back(
        static_cast<std::uint32_t>(std::llround(std::max(0.0, one / largest) * LengthProof::kMaxLength)));
    divisor = std::gcd(divisor, whole.back());
  }
  LengthProof proof;
  for (std::size_t i = 0; i < whole.size(); ++i)
    (i < arcs ? proof.arc : proof.link).push_back(whole[i] / divisor);
  return proof;
}

/// None where links or paths are limited in a way that flows do not know.
std::vector<double> exponential_lengths(const Problem& problem, std::uint32_t known) {
  const bool free = problem.extra_hops == Problem::kAnyLength;
  if (problem.graph->link_class() == LinkClass::half_duplex || (!free && problem.extra_hops > 0)) return {};
  const FlowNetwork network(problem);
  Progress silent;
  const FlowSearch search{
      .gap = kGap, .enough = static_cast<double>(known), .most_rounds = kMostRounds, .threads = 0};
  return network.lengths_by_arc(
      flow_by_potential(network.flow(free ? FlowWays::any : FlowWays::shortest), search, silent));
}

}  // namespace

std::optional<BoundProof> program_bound(const Problem& problem, const BoundOptions& options) {
  if (problem.delivery != Delivery::scatter) return std::nullopt;
  const NodeGraph& graph = *problem.graph;
  const std::uint64_t columns = std::uint64_t{graph.arc_count()} * problem.groups();
  if (columns > options.most_columns) {
    if (columns > options.most_columns * kMoreColumns || problem.groups() == 1) return std::nullopt;
    return whole_lengths(exponential_lengths(problem, options.known), graph.arc_count());
  }
  std::vector<double> dual = Program(problem).duals();
  if (dual.empty()) return std::nullopt;
  dual.resize(graph.arc_count() + (graph.link_class() == LinkClass::half_duplex ? graph.link_count() : 0));
  for (double& one : dual) one = -one;
  return whole_lengths(dual, graph.arc_count());
}

}  // namespace unknot
