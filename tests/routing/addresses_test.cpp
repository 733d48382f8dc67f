// SPDX-License-Identifier: Apache-2.0
// Several addresses of a terminal: every one is delivered, all together cannot deadlock, and their paths
// differ.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/load/address_spread.hpp"
#include "unknot/load/channel_load.hpp"
#include "unknot/network/addressed_network.hpp"
#include "unknot/network/bfs.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/routing/multipath/disjoint_paths.hpp"
#include "unknot/support/catalogue.hpp"
#include "unknot/tables/further_addresses.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

struct Addressed {
  Network wide;
  Routing of_wide;
  Routing routing;
};

Addressed addressed(const Network& network, const std::string& engine, std::uint32_t lmc,
                    std::uint32_t threads = 0) {
  Progress quiet;
  EngineRequest request;
  request.virtual_lanes = kMaxLanes;
  request.threads = threads;
  Addressed all{addressed_network(network, lmc), {}, {}};
  all.of_wide = route(all.wide, engine, request, quiet);
  all.routing = with_further_addresses(network, all.wide, all.of_wide);
  return all;
}

constexpr const char* kEngines[] = {"minhop", "sssp", "dfsssp", "dfsssp:passes=2",   "updn", "dnup",
                                    "ftree",  "lash", "nue",    "unknot:effort=0.05"};
constexpr const char* kFabrics[] = {"torus:4x4,p=2", "xgft:m=4x3,w=2x3", "dragonfly:a=4,h=2,p=2",
                                    "random:switches=14,links=30,terminals=20,seed=4", "mesh:1,p=3"};

TEST(Addresses, AreAllDeliveredTogether) {
  Progress quiet;
  for (const char* spec : kFabrics) {
    const Network network = make_network(spec);
    for (const char* engine : kEngines) {
      const Engine& row = find_engine(std::string(engine).substr(0, std::string(engine).find(':')));
      for (const std::uint32_t lmc : {1U, 2U}) {
        SCOPED_TRACE(std::string(spec) + " " + engine + " " + std::to_string(lmc));
        if (!refusal(row, network).empty()) continue;
        const Addressed all = addressed(network, engine, lmc);
        ASSERT_EQ(all.routing.further.size(), (1U << lmc) - 1);
        const Verdict verdict = verify(network, all.routing, {}, quiet);
        EXPECT_EQ(verdict.unroutable_pairs, 0U);
        EXPECT_TRUE(verdict.loop_free());
        if (row.promise.deadlock_free) {
          EXPECT_TRUE(verdict.deadlock_free);
        }
        if (row.promise.minimal) {
          EXPECT_EQ(verdict.longer_pairs, 0U);
        }
        // Entry for entry and level for level what the engine made.
        for (const TerminalId t : network.terminals()) {
          for (std::uint32_t rank = 0; rank < 1U << lmc; ++rank) {
            const TerminalId address((t.value << lmc) + rank);
            const Routing& one = rank == 0 ? all.routing : all.routing.further[rank - 1];
            for (const RouterId r : network.routers())
              ASSERT_EQ(one.table().get(r, t), all.of_wide.table().get(r, address));
            for (const TerminalId s : network.terminals()) {
              if (s == t) continue;
              ASSERT_EQ(one.service_levels.get(s, t),
                        all.of_wide.service_levels.get(TerminalId(s.value << lmc), address));
            }
          }
        }
      }
    }
  }
}

/// At each router, of the shortest ways on, no way is used by two addresses more than another.
TEST(Addresses, GoApartAtEachRouterByMinhop) {
  for (const char* spec : kFabrics) {
    SCOPED_TRACE(spec);
    const Network network = make_network(spec);
    const Routing routing = addressed(network, "minhop", 2).routing;
    BreadthFirstSearch search(network);
    for (const TerminalId t : network.terminals()) {
      const auto far = search.to(network.router_of(t));
      for (const RouterId r : network.routers()) {
        if (r == network.router_of(t)) continue;
        std::vector<std::uint32_t> uses;
        for (const ChannelId c : network.out(r)) {
          if (far[network.target(c).value] + 1 != far[r.value]) continue;
          std::uint32_t count = routing.table().next(network, r, t) == c ? 1 : 0;
          for (const Routing& further : routing.further)
            count += further.table().next(network, r, t) == c ? 1 : 0;
          uses.push_back(count);
        }
        EXPECT_LE(*std::max_element(uses.begin(), uses.end()),
                  *std::min_element(uses.begin(), uses.end()) + 1);
      }
    }
  }
}

/// Four tops, four addresses: each path of a pair of leaves has a top of its own.
TEST(Addresses, TakeEveryTopOfATree) {
  const Network network = make_network("xgft:m=4x4,w=4x4");
  for (const char* engine : {"minhop", "sssp", "dfsssp", "updn", "ftree", "unknot"}) {
    SCOPED_TRACE(engine);
    const AddressSpread spread = address_spread(network, addressed(network, engine, 2).routing);
    EXPECT_EQ(spread.addresses, 4U);
    EXPECT_DOUBLE_EQ(spread.different, 4);
    EXPECT_DOUBLE_EQ(spread.disjoint, 4);
  }
}

/// Where lanes do not stand in the way, engines come as far as each router for itself does.
TEST(Addresses, DifferAsFarAsMinimumHopsLetThem) {
  for (const char* spec :
       {"torus:6x6,p=2", "torus:8x8", "mesh:6x6", "dragonfly:a=4,h=2,p=2", "hyperx:4x4,p=2"}) {
    const Network network = make_network(spec);
    const AddressSpread each = address_spread(network, addressed(network, "minhop", 2).routing);
    EXPECT_GT(each.different, 1.3);
    for (const char* engine : {"sssp", "dfsssp"}) {
      SCOPED_TRACE(std::string(spec) + " " + engine);
      const AddressSpread spread = address_spread(network, addressed(network, engine, 2).routing);
      EXPECT_GT(spread.disjoint, 0.9 * each.disjoint);
    }
    const AddressSpread spread = address_spread(network, addressed(network, "unknot:effort=0.1", 2).routing);
    EXPECT_GT(spread.disjoint, 0.9 * each.disjoint) << spec;
  }
}

/// What an engine goes by, on the network with a terminal for each address, and what reports tell.
TEST(Addresses, DisjointPathsAreCountedAlike) {
  for (const char* spec : {"torus:4x3,p=2", "jellyfish:routers=15,degree=4,p=1", "xgft:m=4x4,w=2x2"}) {
    const Network network = make_network(spec);
    for (const char* engine : {"minhop", "sssp", "updn"}) {
      SCOPED_TRACE(std::string(spec) + " " + engine);
      const Addressed all = addressed(network, engine, 2);
      EXPECT_NEAR(disjoint_paths(addressed_network(network, 2), all.of_wide.table()),
                  address_spread(network, all.routing).disjoint, 1e-12);
      EXPECT_EQ(disjoint_paths(network, all.routing.table()), 1);
    }
  }
}

/// Each part of a broken fabric has its addresses.
TEST(Addresses, OfAFabricInPartsAreDeliveredInEach) {
  Progress quiet;
  const Network ring = make_network("ring:8,p=2");
  const Network halves = with_faults(ring, parse_faults(ring, "cables=S-1-S-2+S-5-S-6"));
  for (const char* engine : {"updn", "dfsssp", "unknot:effort=0.05"}) {
    SCOPED_TRACE(engine);
    const Verdict verdict = verify(halves, addressed(halves, engine, 2).routing, {}, quiet);
    EXPECT_EQ(verdict.unroutable_pairs, 4U * 2 * 8 * 8);
    EXPECT_TRUE(verdict.deadlock_free);
  }
}

TEST(Addresses, AreTheSameAtAnyNumberOfThreads) {
  const Network network = make_network("torus:4x4,p=2");
  for (const char* engine : {"dfsssp", "unknot:effort=0.05"}) {
    const Addressed one = addressed(network, engine, 2, 1);
    for (const std::uint32_t threads : {2U, 5U}) {
      const Addressed many = addressed(network, engine, 2, threads);
      EXPECT_EQ(one.of_wide.table(), many.of_wide.table());
      EXPECT_EQ(one.of_wide.service_levels, many.of_wide.service_levels);
      EXPECT_EQ(address_spread(network, one.routing, 1).disjoint,
                address_spread(network, many.routing, threads).disjoint);
    }
  }
}

TEST(Addresses, SpreadIsCountedByDefinition) {
  const Network network = make_network("torus:4x3,p=2");
  const Routing routing = addressed(network, "updn", 2).routing;
  double different = 0;
  double disjoint = 0;
  std::uint64_t pairs = 0;
  std::vector<std::uint64_t> load(network.channel_count(), 0);
  for (const TerminalId s : network.terminals()) {
    for (const TerminalId t : network.terminals()) {
      if (network.router_of(s) == network.router_of(t)) continue;
      std::set<std::vector<std::uint32_t>> paths;
      std::set<std::uint32_t> used;
      std::uint32_t apart = 0;
      for (std::uint32_t rank = 0; rank < 4; ++rank) {
        const Routing& one = rank == 0 ? routing : routing.further[rank - 1];
        std::vector<std::uint32_t> path;
        for (RouterId at = network.router_of(s); at != network.router_of(t);) {
          const ChannelId c = one.table().next(network, at, t);
          path.push_back(c.value);
          ++load[c.value];
          at = network.target(c);
        }
        if (std::none_of(path.begin(), path.end(), [&](std::uint32_t c) { return used.contains(c); })) {
          used.insert(path.begin(), path.end());
          ++apart;
        }
        paths.insert(path);
      }
      ++pairs;
      different += static_cast<double>(paths.size());
      disjoint += apart;
    }
  }
  const AddressSpread spread = address_spread(network, routing);
  EXPECT_EQ(spread.pairs, pairs);
  EXPECT_DOUBLE_EQ(spread.different, different / static_cast<double>(pairs));
  EXPECT_DOUBLE_EQ(spread.disjoint, disjoint / static_cast<double>(pairs));
  EXPECT_EQ(load_of_addresses(network, routing), load);
}

/// An engine that is given no further addresses does what it did.
TEST(Addresses, OfOneChangeNothing) {
  for (const char* spec : kFabrics) {
    const Network network = make_network(spec);
    for (const char* engine : {"minhop", "sssp", "updn"}) {
      const Addressed all = addressed(network, engine, 0);
      Progress quiet;
      EXPECT_EQ(all.routing.table(), route(network, engine, {}, quiet).table()) << spec << engine;
      EXPECT_TRUE(all.routing.further.empty());
    }
  }
}

}  // namespace
}  // namespace unknot
