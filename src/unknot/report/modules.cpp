// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "unknot/report/groups.hpp"

namespace unknot::report {
namespace {

/// A graph whose nodes are modules found so far. Every channel is an arc both ways, so that weights are
/// whole and sums do not depend on their order.
struct WeightedGraph {
  std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>> arcs;  ///< by node, without loops
  std::vector<std::uint64_t> degree;                                       ///< with loops
  std::uint64_t total = 0;                                                 ///< of all degrees
};

/// Numbers in order of first appearance; how many there are.
std::uint32_t renumber(std::vector<std::uint32_t>& module) {
  constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();
  std::vector<std::uint32_t> number(module.size(), kNone);
  std::uint32_t next = 0;
  for (std::uint32_t& m : module) {
    if (number[m] == kNone) number[m] = next++;
    m = number[m];
  }
  return next;
}

/// Adds up what leads from module to module.
WeightedGraph gathered(const WeightedGraph& graph, const std::vector<std::uint32_t>& module,
                       std::uint32_t count) {
  WeightedGraph sum{{}, std::vector<std::uint64_t>(count), graph.total};
  sum.arcs.resize(count);
  std::vector<std::vector<std::uint32_t>> members(count);
  for (std::uint32_t node = 0; node < module.size(); ++node) {
    members[module[node]].push_back(node);
    sum.degree[module[node]] += graph.degree[node];
  }
  std::vector<std::uint64_t> weight(count);
  for (std::uint32_t m = 0; m < count; ++m) {
    std::vector<std::uint32_t> touched;
    for (const std::uint32_t node : members[m]) {
      for (const auto& [other, w] : graph.arcs[node]) {
        const std::uint32_t to = module[other];
        if (to == m) continue;
        if (weight[to] == 0) touched.push_back(to);
        weight[to] += w;
      }
    }
    std::sort(touched.begin(), touched.end());
    for (const std::uint32_t to : touched) sum.arcs[m].emplace_back(to, std::exchange(weight[to], 0));
  }
  return sum;
}

WeightedGraph routers_as_nodes(const Network& network) {
  WeightedGraph graph{
      std::vector<std::vector<std::pair<std::uint32_t, std::uint64_t>>>(network.router_count()),
      std::vector<std::uint64_t>(network.router_count()), 2 * std::uint64_t{network.channel_count()}};
  for (const ChannelId c : network.channels()) {
    const auto [from, to] = std::pair(network.source(c).value, network.target(c).value);
    ++graph.degree[from];
    ++graph.degree[to];
    if (from == to) continue;
    graph.arcs[from].emplace_back(to, 1);
    graph.arcs[to].emplace_back(from, 1);
  }
  return graph;
}

/// One level of the method: nodes move to the module of a neighbour while that makes modularity larger.
std::vector<std::uint32_t> moved(const WeightedGraph& graph) {
  const auto nodes = static_cast<std::uint32_t>(graph.arcs.size());
  std::vector<std::uint32_t> module(nodes);
  std::iota(module.begin(), module.end(), 0);
  std::vector<std::uint64_t> inside = graph.degree;  // degrees of a module's nodes
  std::vector<std::uint64_t> weight(nodes);
  constexpr int kRounds = 30;
  bool better = true;
  for (int round = 0; better && round < kRounds; ++round) {
    better = false;
    for (std::uint32_t node = 0; node < nodes; ++node) {
      std::vector<std::uint32_t> near = {module[node]};
      for (const auto& [other, w] : graph.arcs[node]) {
        if (weight[module[other]] == 0 && module[other] != module[node]) near.push_back(module[other]);
        weight[module[other]] += w;
      }
      const std::uint32_t home = module[node];
      inside[home] -= graph.degree[node];
      const auto gain = [&](std::uint32_t m) {
        return static_cast<double>(weight[m]) - static_cast<double>(inside[m]) *
                                                    static_cast<double>(graph.degree[node]) /
                                                    static_cast<double>(graph.total);
      };
      std::uint32_t best = home;
      for (const std::uint32_t m : near) {
        if (gain(m) > gain(best) + 1e-9) best = m;
      }
      inside[best] += graph.degree[node];
      better = better || best != home;
      module[node] = best;
      for (const std::uint32_t m : near) weight[m] = 0;
    }
  }
  return module;
}

std::vector<std::uint32_t> louvain(const Network& network) {
  WeightedGraph graph = routers_as_nodes(network);
  std::vector<std::uint32_t> module(network.router_count());
  std::iota(module.begin(), module.end(), 0);
  while (true) {
    std::vector<std::uint32_t> next = moved(graph);
    const std::uint32_t count = renumber(next);
    for (std::uint32_t& m : module) m = next[m];
    if (count == graph.arcs.size()) break;
    graph = gathered(graph, next, count);
  }
  renumber(module);
  return module;
}

}  // namespace

double modularity(const Network& network, const std::vector<std::uint32_t>& module) {
  if (network.channel_count() == 0) return 0;
  std::vector<std::uint64_t> degree(network.router_count());
  std::uint64_t inside = 0;
  for (const ChannelId c : network.channels()) {
    const auto [from, to] = std::pair(module[network.source(c).value], module[network.target(c).value]);
    ++degree[from];
    ++degree[to];
    if (from == to) ++inside;
  }
  const double channels = network.channel_count();
  double expected = 0;
  for (const std::uint64_t d : degree) {
    const double share = static_cast<double>(d) / (2 * channels);
    expected += share * share;
  }
  return static_cast<double>(inside) / channels - expected;
}

std::vector<std::uint32_t> modules(const Network& network) {
  constexpr double kMuchBetter = 1.25;
  const std::uint32_t routers = network.router_count();
  std::vector<std::uint32_t> best;
  double most = 0;
  for (std::uint32_t size = 3; size <= routers / 2; ++size) {
    if (routers % size != 0) continue;
    std::vector<std::uint32_t> blocks(routers);
    for (std::uint32_t r = 0; r < routers; ++r) blocks[r] = r / size;
    if (const double value = modularity(network, blocks); value > most) {
      most = value;
      best = std::move(blocks);
    }
  }
  std::vector<std::uint32_t> found = louvain(network);
  return best.empty() || modularity(network, found) > kMuchBetter * most ? found : best;
}

}  // namespace unknot::report
