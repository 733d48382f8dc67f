// SPDX-License-Identifier: Apache-2.0
#include "unknot/bounds/path_lists.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <functional>
#include <set>
#include <string>
#include <vector>

#include "unknot/bounds/exchange.hpp"
#include "unknot/bounds/k_shortest_paths.hpp"
#include "unknot/bounds/path_sets.hpp"
#include "unknot/bounds/path_split.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/load/flow_load.hpp"
#include "unknot/oblivious/minimal_paths.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/traffic/patterns/fixed_pattern.hpp"
#include "verify/fabrics.hpp"

namespace unknot {
namespace {

using Path = std::vector<ChannelId>;

bool before(const Path& a, const Path& b) {
  return a.size() != b.size() ? a.size() < b.size() : a < b;
}

/// Every path that passes no router twice, in order.
std::vector<Path> all_loopless(const Network& network, RouterId source, RouterId destination) {
  std::vector<Path> found;
  std::vector<bool> passed(network.router_count(), false);
  Path path;
  const std::function<void(RouterId)> go_on = [&](RouterId at) {
    if (at == destination) {
      found.push_back(path);
      return;
    }
    passed[at.value] = true;
    for (const ChannelId c : network.out(at)) {
      if (passed[network.target(c).value]) continue;
      path.push_back(c);
      go_on(network.target(c));
      path.pop_back();
    }
    passed[at.value] = false;
  };
  go_on(source);
  std::sort(found.begin(), found.end(), before);
  return found;
}

std::vector<Path> paths_of(const PathLists& lists, std::size_t pair) {
  std::vector<Path> found;
  for (std::size_t p = lists.first_path(pair); p < lists.first_path(pair + 1); ++p)
    found.emplace_back(lists.path(p).begin(), lists.path(p).end());
  return found;
}

RouterDemand demand_of(const Network& network, const std::string& pattern) {
  return exchange_of(network, make_pattern(network, pattern), 1, 0).between;
}

TEST(KShortestPaths, AreTheFirstOfAllInOrder) {
  Random random(11);
  std::uint32_t compared = 0;
  for (int i = 0; i < 150; ++i) {
    const Network network = testing::random_fabric(random, i % 3 != 0, 7);
    KShortestPaths search(network);
    for (int k = 0; k < 4; ++k) {
      const RouterId source(random.below(network.router_count()));
      const RouterId destination(random.below(network.router_count()));
      if (source == destination) continue;
      const std::vector<Path> all = all_loopless(network, source, destination);
      for (const std::uint32_t count : {1U, 3U, 10U, 10'000U}) {
        const std::vector<Path>& found = search.find(source, destination, count);
        ASSERT_EQ(found.size(), std::min<std::size_t>(count, all.size()));
        EXPECT_TRUE(std::equal(found.begin(), found.end(), all.begin()));
      }
      compared += all.size() > 5 ? 1 : 0;
    }
  }
  EXPECT_GT(compared, 100U);
}

TEST(KShortestPaths, OfTopologiesAreShortestFirstAndDiffer) {
  for (const char* spec : {"slimfly:q=5", "torus:6x6", "kary-ntree:k=3,n=3", "dragonfly:a=4,h=2,p=2"}) {
    SCOPED_TRACE(spec);
    const Network network = make_network(spec);
    KShortestPaths search(network);
    const std::vector<Path>& found = search.find(RouterId(0), RouterId(network.router_count() - 1), 60);
    EXPECT_EQ(found.size(), 60U);
    EXPECT_TRUE(std::is_sorted(found.begin(), found.end(), before));
    EXPECT_EQ(std::adjacent_find(found.begin(), found.end()), found.end());
  }
}

TEST(PathLists, HoldTheSetsThatTheirNamesSay) {
  Progress silent;
  for (const char* spec : {"torus:3x4,p=2", "slimfly:q=5", "xgft:m=3x3,w=2x2", "hyperx:3x3"}) {
    SCOPED_TRACE(spec);
    const Network network = make_network(spec);
    const RouterDemand demand = demand_of(network, "permutation");
    const MinimalPaths minimal(network);
    const PathLists shortest = make_path_lists(network, demand, "minimal", silent);
    const PathLists eight = make_path_lists(network, demand, "shortest", silent);
    const PathLists valiant = make_path_lists(network, demand, "valiant", silent);
    const PathLists ugal = make_path_lists(network, demand, "ugal", silent);
    ASSERT_EQ(shortest.pairs().size(), ugal.pairs().size());
    double rate = 0;
    for (std::size_t i = 0; i < shortest.pairs().size(); ++i) {
      const PathLists::Pair& pair = shortest.pairs()[i];
      rate += pair.rate;
      const std::vector<Path> direct = paths_of(shortest, i);
      EXPECT_EQ(static_cast<double>(direct.size()), minimal.paths(pair.source, pair.destination));
      for (const Path& path : direct) EXPECT_EQ(path.size(), minimal.distance(pair.source, pair.destination));
      EXPECT_LE(paths_of(eight, i).size(), 8U);
      // Valiant's from the definition: a walk is one if some other router with terminals on it halves it
      std::set<Path> both(direct.begin(), direct.end());
      for (const Path& path : paths_of(valiant, i)) {
        RouterId at = pair.source;
        bool halved = false;
        for (std::size_t k = 0; k < path.size(); ++k) {
          EXPECT_EQ(network.source(path[k]), at);
          at = network.target(path[k]);
          if (network.terminals_at(at).empty() || at == pair.source || at == pair.destination) continue;
          halved = halved || (minimal.distance(pair.source, at) == k + 1 &&
                              minimal.distance(at, pair.destination) == path.size() - k - 1);
        }
        EXPECT_EQ(at, pair.destination);
        EXPECT_TRUE(halved);
        both.insert(path);
      }
      const std::vector<Path> together = paths_of(ugal, i);
      EXPECT_EQ(std::set<Path>(together.begin(), together.end()), both);
      EXPECT_EQ(together.size(), both.size());
    }
    EXPECT_NEAR(rate, demand.between(), 1e-9);
  }
}

TEST(PathLists, OfTablesGoToAllAddresses) {
  Progress silent;
  const Network network = make_network("torus:4x4,p=2");
  Routing routing = route(network, "dor", EngineRequest(), silent);
  routing.further.push_back(route(network, "updn", EngineRequest(), silent));
  routing.further.push_back(routing.further.front());
  std::vector<Flow> flows;
  make_pattern(network, "tornado").flows(1, 0, flows);
  const PathLists lists = address_path_lists(network, routing, flows, silent);
  const std::array<const Routing*, 2> ranks = {&routing, &routing.further[0]};
  ASSERT_EQ(lists.pairs().size(), flows.size());
  std::uint32_t two = 0;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    std::set<Path> expected;
    for (const Routing* one : ranks) {
      Path path;
      ASSERT_TRUE(append_path(network, *one, flows[i].source, flows[i].destination, path));
      expected.insert(path);
    }
    const std::vector<Path> found = paths_of(lists, i);
    EXPECT_EQ(std::set<Path>(found.begin(), found.end()), expected);
    EXPECT_EQ(found.size(), expected.size());
    two += found.size() == 2 ? 1 : 0;
  }
  EXPECT_GT(two, 5U);
  // at will is no worse than either of them
  const FlowCheck check = check_split(network, lists, split_by_program(network, lists));
  for (const Routing* one : ranks) {
    const std::vector<double> load = flow_load(network, *one, flows).load;
    EXPECT_LE(check.max_load, *std::max_element(load.begin(), load.end()) * (1 + 1e-6));
  }
}

TEST(PathLists, RefuseWhatHasNoPathAndNoSet) {
  Progress silent;
  NetworkBuilder builder;
  builder.add_routers(2);
  builder.add_channel(RouterId(0), RouterId(1));
  builder.add_terminal(RouterId(0));
  builder.add_terminal(RouterId(1));
  const Network network = std::move(builder).build();
  const RouterDemand demand = demand_of(network, "all-to-all");
  for (const PathSetRow& row : path_sets()) {
    EXPECT_FALSE(row.summary.empty());
    EXPECT_THROW((void)make_path_lists(network, demand, row.name, silent), InputError) << row.name;
  }
  const Network two = make_network("hyperx:2");  // no third router
  const RouterDemand between = demand_of(two, "all-to-all");
  EXPECT_THROW((void)make_path_lists(two, between, "valiant", silent), InputError);
  EXPECT_EQ(make_path_lists(two, between, "ugal", silent).path_count(), 2U);
  EXPECT_THROW((void)find_path_set("longest"), InputError);
  EXPECT_THROW((void)find_path_set("shortest:0"), InputError);
  EXPECT_THROW((void)find_path_set("minimal:3"), InputError);
  EXPECT_EQ(find_path_set("shortest:3").name, "shortest");
  class Stopped : public Progress {
   public:
    [[nodiscard]] bool interrupted() const override { return true; }
  } stopped;
  EXPECT_THROW((void)make_path_lists(network, demand, "minimal", stopped), Interrupted);
}

}  // namespace
}  // namespace unknot
