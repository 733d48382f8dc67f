// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <tuple>

#include "unknot/network/builder.hpp"
#include "unknot/routing/trees/balanced_trees.hpp"
#include "unknot/routing/trees/path_dag.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

using Cost = std::tuple<std::uint64_t, std::uint64_t>;  // (hops, load), compared in this order

/// SSSP routing restated as plainly as the definition: Dijkstra with a set, cost (hops, load) or (0, weight),
/// then the loads of the data channels grow. `initial` > 0 adds that weight to every channel and ignores
/// hops, as the paper prints it.
struct PlainSssp {
  const Network& network;
  std::uint64_t initial;
  std::vector<std::uint64_t> load = std::vector<std::uint64_t>(network.channel_count(), 0);

  std::vector<ChannelId> tree(TerminalId destination) {
    const RouterId root = network.router_of(destination);
    const Cost far{~0ULL, ~0ULL};
    std::vector<Cost> cost(network.router_count(), far);
    std::vector<ChannelId> next(network.router_count());
    std::set<std::pair<Cost, std::uint32_t>> queue{{{0, 0}, root.value}};
    cost[root.value] = {0, 0};
    std::vector<std::uint32_t> settled;
    while (!queue.empty()) {
      const auto [at, router] = *queue.begin();
      queue.erase(queue.begin());
      settled.push_back(router);
      for (const ChannelId c : network.in(RouterId(router))) {
        const RouterId from = network.source(c);
        const Cost through{std::get<0>(at) + (initial == 0 ? 1 : 0),
                           std::get<1>(at) + initial + load[c.value]};
        // Equal cost: the channel of smaller id, the engine's tie rule.
        if (through < cost[from.value] ||
            (through == cost[from.value] && c < next[from.value] && from != root)) {
          queue.erase({cost[from.value], from.value});
          cost[from.value] = through;
          next[from.value] = c;
          queue.insert({through, from.value});
        }
      }
    }
    std::vector<std::uint64_t> below(network.router_count());
    for (const RouterId r : network.routers()) below[r.value] = network.terminals_at(r).size();
    for (std::size_t i = settled.size(); i-- > 1;) {
      const ChannelId c = next[settled[i]];
      load[c.value] += below[settled[i]];
      below[network.target(c).value] += below[settled[i]];
    }
    return next;
  }
};

TEST(Sssp, EqualsThePlainDefinition) {
  for (const char* spec :
       {"torus:4x3,p=2", "kautz:b=2,n=3,p=3", "kautz:b=2,n=3,oriented=1", "deimos",
        "xgft:m=6x6,w=3x3,terminals=100", "random:switches=20,links=60,terminals=70,seed=5"}) {
    const Network network = make_network(spec);
    Progress quiet;
    PathDags dags(network);
    const BalancedTrees trees = balanced_trees(network, dags, 0, quiet);
    PlainSssp plain{network, 0};
    for (const TerminalId t : network.terminals()) {
      const std::vector<ChannelId> next = plain.tree(t);
      for (const RouterId r : network.routers()) {
        if (r == network.router_of(t)) continue;
        ASSERT_EQ(trees.table.next(network, r, t), next[r.value])
            << spec << " to " << t.value << " at " << r.value;
      }
    }
    EXPECT_EQ(trees.load, plain.load) << spec;
  }
}

/// Two hubs with h terminals each, joined by one path of k links and one of k+1 links.
Network two_paths(std::uint32_t k, std::uint32_t h) {
  NetworkBuilder builder;
  const RouterId a = builder.add_router();
  const RouterId b = builder.add_router();
  for (const std::uint32_t links : {k, k + 1}) {
    RouterId last = a;
    for (std::uint32_t i = 1; i < links; ++i) {
      const RouterId middle = builder.add_router();
      builder.add_cable(last, middle);
      last = middle;
    }
    builder.add_cable(last, b);
  }
  for (std::uint32_t i = 0; i < h; ++i) builder.add_terminal(a);
  for (std::uint32_t i = 0; i < h; ++i) builder.add_terminal(b);
  return std::move(builder).build();
}

std::uint64_t detours(const Network& network, std::uint64_t initial) {
  PlainSssp plain{network, initial};
  PathDags dags(network);
  std::uint64_t found = 0;
  for (const TerminalId t : network.terminals()) {
    const std::vector<ChannelId> next = plain.tree(t);
    const RouterId root = network.router_of(t);
    dags.towards(root);
    const std::vector<std::uint32_t> level = dags.level();
    for (const RouterId r : network.routers()) {
      if (network.terminals_at(r).empty() || r == root) continue;
      std::uint32_t hops = 0;
      for (RouterId at = r; at != root; at = network.target(next[at.value])) ++hops;
      found += hops > level[r.value] ? 1 : 0;
    }
  }
  return found;
}

TEST(Sssp, ThePapersInitialWeightAllowsDetours) {
  // The proof in the paper compares one channel with two; k against k+1 can fail from k = 5 on.
  for (const auto& [k, h] : {std::pair{5U, 80U}, std::pair{10U, 20U}}) {
    const Network network = two_paths(k, h);
    const std::uint64_t vertices = network.router_count() + network.terminal_count();
    EXPECT_GT(detours(network, vertices * vertices), 0U) << k;
    EXPECT_EQ(detours(network, vertices * vertices * vertices), 0U) << k;
    EXPECT_EQ(detours(network, 0), 0U) << "hops first";
    Progress quiet;
    PathDags dags(network);
    const BalancedTrees trees = balanced_trees(network, dags, 0, quiet);
    for (const TerminalId t : network.terminals()) {
      const RouterId other(1 - network.router_of(t).value);
      std::uint32_t hops = 0;
      for (RouterId at = other; at != network.router_of(t); ++hops)
        at = network.target(trees.table.next(network, at, t));
      EXPECT_EQ(hops, k);
    }
  }
}

TEST(Sssp, LoadsBeyond32BitsAreRight) {
  // A long line makes path sums large: the construction must widen on the way and still equal the definition.
  const Network network = make_network("mesh:600,p=40");
  Progress quiet;
  PathDags dags(network);
  const BalancedTrees trees = balanced_trees(network, dags, 0, quiet);
  for (std::uint32_t i = 0; i + 1 < 600; ++i) {
    const ChannelId right = trees.table.next(network, RouterId(i), network.terminals_at(RouterId(599))[0]);
    EXPECT_EQ(trees.load[right.value], std::uint64_t{40} * (i + 1) * 40 * (599 - i));
  }
}

TEST(Sssp, FurtherPassesKeepTheLoadsExact) {
  const Network network = make_network("kary-ntree:k=4,n=3");
  Progress quiet;
  PathDags dags(network);
  const BalancedTrees once = balanced_trees(network, dags, 0, quiet);
  const BalancedTrees more = balanced_trees(network, dags, 3, quiet);
  std::vector<std::uint64_t> counted(network.channel_count(), 0);
  for (const TerminalId t : network.terminals()) {
    for (const TerminalId s : network.terminals()) {
      for (RouterId at = network.router_of(s); at != network.router_of(t);) {
        const ChannelId c = more.table.next(network, at, t);
        ++counted[c.value];
        at = network.target(c);
      }
    }
  }
  EXPECT_EQ(more.load, counted);
  EXPECT_LE(*std::max_element(more.load.begin(), more.load.end()),
            *std::max_element(once.load.begin(), once.load.end()));
}

}  // namespace
}  // namespace unknot
