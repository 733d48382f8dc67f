// SPDX-License-Identifier: Apache-2.0
#include "unknot/place/scotch_map.hpp"

#include <scotch.h>

#include <algorithm>
#include <cstdio>  // scotch.h names FILE without it
#include <mutex>
#include <numeric>

#include "unknot/network/cuts/partitioners.hpp"

namespace unknot::place {
namespace {

constexpr std::size_t kMostHosts = 4096;
constexpr double kImbalance = 0.01;
/// Sum of the weights of all edges: times a distance, far from the end of 32 bits.
constexpr double kMostWeight = 16'000'000;

/// Rows of an undirected graph with edge weights, as the library wants them.
struct Graph {
  std::vector<SCOTCH_Num> first, target, weight;
};

struct Edge {
  std::uint32_t from, to;
  std::uint64_t weight;
};

/// Edges in both directions, those of one pair added up. `scale` takes a sum to a weight of at least one.
template <class Scale>
Graph graph_of(std::uint32_t vertices, std::vector<Edge> edges, const Scale& scale) {
  const std::size_t one_way = edges.size();
  for (std::size_t i = 0; i < one_way; ++i) edges.push_back({edges[i].to, edges[i].from, edges[i].weight});
  std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
    return a.from != b.from ? a.from < b.from : a.to != b.to ? a.to < b.to : a.weight < b.weight;
  });
  Graph graph;
  graph.first.assign(std::size_t{vertices} + 1, 0);
  for (std::size_t i = 0; i < edges.size();) {
    std::uint64_t sum = 0;
    std::size_t j = i;
    for (; j < edges.size() && edges[j].from == edges[i].from && edges[j].to == edges[i].to; ++j)
      sum += edges[j].weight;
    graph.target.push_back(static_cast<SCOTCH_Num>(edges[i].to));
    graph.weight.push_back(scale(sum));
    ++graph.first[edges[i].from + 1];
    i = j;
  }
  std::partial_sum(graph.first.begin(), graph.first.end(), graph.first.begin());
  return graph;
}

Graph ranks_graph(const CommunicationMatrix& sent) {
  std::vector<Edge> edges;
  double total = 0;
  for (std::uint32_t rank = 0; rank < sent.ranks; ++rank) {
    for (std::uint64_t i = sent.first[rank]; i < sent.first[rank + 1]; ++i) {
      edges.push_back({rank, sent.entries[i].column, sent.entries[i].bytes});
      total += static_cast<double>(sent.entries[i].bytes);
    }
  }
  const double factor = std::min(1.0, kMostWeight / std::max(1.0, 2 * total));
  return graph_of(sent.ranks, std::move(edges), [factor](std::uint64_t sum) {
    return std::max<SCOTCH_Num>(1, static_cast<SCOTCH_Num>(static_cast<double>(sum) * factor));
  });
}

/// Routers, then hosts; every link is of length one.
Graph fabric_graph(const Network& network, const Places& places) {
  std::vector<Edge> edges;
  for (const ChannelId c : network.channels())
    edges.push_back({network.source(c).value, network.target(c).value, 1});
  for (std::uint32_t host = 0; host < places.hosts.size(); ++host)
    edges.push_back({network.router_of(places.hosts[host]).value, network.router_count() + host, 1});
  return graph_of(network.router_count() + static_cast<std::uint32_t>(places.hosts.size()), std::move(edges),
                  [](std::uint64_t) { return SCOTCH_Num{1}; });
}

bool build(SCOTCH_Graph& graph, const Graph& rows) {
  return SCOTCH_graphBuild(&graph, 0, static_cast<SCOTCH_Num>(rows.first.size() - 1), rows.first.data(),
                           rows.first.data() + 1, nullptr, nullptr,
                           static_cast<SCOTCH_Num>(rows.target.size()), rows.target.data(),
                           rows.weight.data()) == 0;
}

/// Host of each rank; empty where the library gives up.
std::vector<SCOTCH_Num> host_of_rank(const Graph& ranks, const Graph& fabric, std::uint32_t routers,
                                     std::uint32_t hosts, std::uint64_t seed) {
  std::vector<SCOTCH_Num> listed(hosts);
  std::iota(listed.begin(), listed.end(), static_cast<SCOTCH_Num>(routers));
  std::vector<SCOTCH_Num> host(ranks.first.size() - 1, 0);
  const std::scoped_lock one(partitioner_lock());
  SCOTCH_randomSeed(static_cast<SCOTCH_Num>(seed % 1'000'000'007));
  SCOTCH_randomReset();
  SCOTCH_Context context;
  SCOTCH_Graph target;
  SCOTCH_Graph whole;
  SCOTCH_Graph bound;
  SCOTCH_Arch arch;
  SCOTCH_Strat halving;
  SCOTCH_Strat mapping;
  SCOTCH_contextInit(&context);
  // one thread: more would make the result depend on their timing
  SCOTCH_contextThreadSpawn(&context, 1, nullptr);
  SCOTCH_contextRandomClone(&context);
  SCOTCH_contextRandomSeed(&context, static_cast<SCOTCH_Num>(seed % 1'000'000'007));
  SCOTCH_contextRandomReset(&context);
  SCOTCH_graphInit(&target);
  SCOTCH_graphInit(&whole);
  SCOTCH_graphInit(&bound);
  SCOTCH_archInit(&arch);
  SCOTCH_stratInit(&halving);
  SCOTCH_stratInit(&mapping);
  const bool done =
      build(target, fabric) && build(whole, ranks) &&
      SCOTCH_contextBindGraph(&context, &whole, &bound) == 0 &&
      SCOTCH_archBuild0(&arch, &target, static_cast<SCOTCH_Num>(hosts), listed.data(), &halving) == 0 &&
      SCOTCH_stratGraphMapBuild(&mapping, SCOTCH_STRATQUALITY | SCOTCH_STRATBALANCE,
                                static_cast<SCOTCH_Num>(hosts), kImbalance) == 0 &&
      SCOTCH_graphMap(&bound, &arch, &mapping, host.data()) == 0;
  SCOTCH_stratExit(&mapping);
  SCOTCH_stratExit(&halving);
  SCOTCH_archExit(&arch);
  SCOTCH_graphExit(&bound);
  SCOTCH_graphExit(&whole);
  SCOTCH_graphExit(&target);
  SCOTCH_contextExit(&context);
  if (!done) return {};
  for (SCOTCH_Num& vertex : host)
    vertex -= static_cast<SCOTCH_Num>(routers);  // a listed vertex keeps its number
  return host;
}

}  // namespace

Placement scotch_map(const Network& network, const Places& places, const HostDistances& distances,
                     const CommunicationMatrix& sent, std::uint64_t seed) {
  const auto hosts = static_cast<std::uint32_t>(places.hosts.size());
  if (hosts < 2 || hosts > kMostHosts) return {};
  const std::vector<SCOTCH_Num> host_of =
      host_of_rank(ranks_graph(sent), fabric_graph(network, places), network.router_count(), hosts, seed);
  if (host_of.empty()) return {};
  std::vector<std::uint32_t> used(hosts, 0);
  Placement placement(sent.ranks, 0);
  std::vector<std::uint32_t> left_over;
  const auto take = [&](std::uint32_t rank, std::uint32_t host) {
    if (used[host] == places.per_host) return false;
    placement[rank] = host * places.per_host + used[host]++;
    return true;
  };
  for (std::uint32_t rank = 0; rank < sent.ranks; ++rank) {
    if (host_of[rank] < 0 || host_of[rank] >= static_cast<SCOTCH_Num>(hosts)) return {};
    if (!take(rank, static_cast<std::uint32_t>(host_of[rank]))) left_over.push_back(rank);
  }
  for (const std::uint32_t rank : left_over) {
    bool placed = false;
    for (const std::uint32_t host : distances.near(static_cast<std::uint32_t>(host_of[rank]))) {
      if ((placed = take(rank, host))) break;
    }
    for (std::uint32_t host = 0; !placed; ++host) placed = take(rank, host);
  }
  return placement;
}

}  // namespace unknot::place
