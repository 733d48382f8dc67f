// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>
#include <set>
#include <string>
#include <vector>

#include "unknot/bounds/path_lists.hpp"
#include "unknot/bounds/path_split.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/routing/adaptive/adaptive_groups.hpp"
#include "unknot/routing/run_engine.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

/// Each host sends to another, none to itself.
std::vector<Flow> permutation(const Network& network, std::uint32_t seed) {
  std::vector<std::uint32_t> to(network.terminal_count());
  std::iota(to.begin(), to.end(), 0U);
  std::mt19937 random(seed);
  std::shuffle(to.begin(), to.end(), random);
  std::vector<Flow> flows;
  for (std::uint32_t host = 0; host < to.size(); ++host) {
    if (to[host] != host) flows.push_back({TerminalId(host), TerminalId(to[host])});
  }
  return flows;
}

using Ways = std::set<std::vector<ChannelId>>;
Ways ways_of(const PathLists& lists, std::size_t pair) {
  Ways ways;
  for (std::size_t p = lists.first_path(pair); p < lists.first_path(pair + 1); ++p)
    ways.insert({lists.path(p).begin(), lists.path(p).end()});
  return ways;
}

/// Groups of all shortest paths allow these, neither more nor fewer, each once.
TEST(GroupPaths, AreAllShortestOnesWhereGroupsAre) {
  Progress quiet;
  for (const char* spec : {"torus:4x4", "hypercube:4", "slimfly:q=5,p=1", "jellyfish:routers=20,degree=5,p=1",
                           "hyperx:3x3,cables=2", "xgft:m=1x4,w=1x3"}) {
    const Network network = make_network(spec);
    const AdaptiveRouting groups = shortest_groups(network, nullptr, 1, quiet);
    for (std::uint32_t seed = 1; seed <= 3; ++seed) {
      const std::vector<Flow> flows = permutation(network, seed);
      const PathLists lists = group_path_lists(network, groups, flows, quiet);
      std::vector<RouterFlow> between;
      for (const Flow& flow : flows)
        between.push_back({network.router_of(flow.source), network.router_of(flow.destination), 1});
      const RouterDemand demand = RouterDemand::of_flows(network, between);
      const PathLists shortest = shortest_path_lists(network, demand, quiet);
      ASSERT_EQ(lists.pairs().size(), shortest.pairs().size()) << spec;
      EXPECT_EQ(lists.path_count(), shortest.path_count()) << spec;
      for (std::size_t i = 0; i < lists.pairs().size(); ++i) {
        std::size_t same = 0;
        while (shortest.pairs()[same].source != lists.pairs()[i].source ||
               shortest.pairs()[same].destination != lists.pairs()[i].destination)
          ++same;
        EXPECT_EQ(ways_of(lists, i), ways_of(shortest, same)) << spec;
      }
      const FlowCheck by_groups = check_split(network, lists, split_by_program(network, lists));
      const FlowCheck by_paths = check_split(network, shortest, split_by_program(network, shortest));
      EXPECT_NEAR(by_groups.upper, by_paths.upper, 1e-9) << spec;
    }
  }
}

/// Packets that may not be adaptive have the path of the tables alone; around tables that are an escape they
/// have that and others.
TEST(GroupPaths, FollowTheLevelOfEachPair) {
  Progress quiet;
  const Network network = make_network("torus:4x4,p=2");
  EngineRequest request;
  request.virtual_lanes = 4;
  const Routing tables = route(network, "lash", request, quiet);
  const Verdict verdict = verify(network, tables, {.certificate = true}, quiet);
  ASSERT_TRUE(verdict.certificate.has_value());
  AdaptiveRouting groups = escape_groups(network, tables, verdict.certificate->number, quiet);
  const std::vector<Flow> flows = permutation(network, 1);
  const PathLists own = address_path_lists(network, tables, flows, quiet);
  const PathLists all = group_path_lists(network, groups, flows, quiet);
  EXPECT_GT(all.path_count(), own.path_count());
  for (std::size_t i = 0; i < own.pairs().size(); ++i) {
    const Ways ways = ways_of(all, i);
    EXPECT_TRUE(ways.contains(*ways_of(own, i).begin())) << i;
  }
  groups.adaptive_levels = 0;
  const PathLists fixed = group_path_lists(network, groups, flows, quiet);
  ASSERT_EQ(fixed.path_count(), own.path_count());
  for (std::size_t i = 0; i < own.pairs().size(); ++i) EXPECT_EQ(ways_of(fixed, i), ways_of(own, i));
}

/// A level whose packets may be adaptive or not has the ways of both.
TEST(GroupPaths, HaveTheFixedPortToo) {
  Progress quiet;
  const Network network = make_network("ring:4");
  AdaptiveRouting groups = shortest_groups(network, nullptr, 1, quiet);
  AdaptivePlane& plane = groups.planes.front();
  const RouterId source(0);
  const TerminalId opposite(2);
  const std::vector<Flow> flows = {{TerminalId(0), opposite}};
  const std::uint32_t group = plane.add_group(source, {1});
  plane.set(source, opposite, plane.add_choice(source, {ChoiceKind::adaptive, 0, group}));
  groups.adaptive_levels = 1;
  for (const std::uint16_t fixed : {0, 1}) {
    groups.fixed_levels = fixed;
    EXPECT_EQ(group_path_lists(network, groups, flows, quiet).path_count(), 1U + fixed);
  }
  groups.adaptive_levels = 0;
  EXPECT_EQ(group_path_lists(network, groups, flows, quiet).path_count(), 1U);
  // what has no level goes nowhere
  groups.fixed_levels = 0;
  EXPECT_THROW((void)group_path_lists(network, groups, flows, quiet), InputError);
}

/// 40,320 ways of one flow: in a moment, and until the user has enough.
TEST(GroupPaths, MayBeMany) {
  Progress quiet;
  const Network network = make_network("hypercube:8");
  const AdaptiveRouting groups = shortest_groups(network, nullptr, 1, quiet);
  const std::vector<Flow> flows = {{TerminalId(0), TerminalId(255)}};
  EXPECT_EQ(group_path_lists(network, groups, flows, quiet).path_count(), 40'320U);
  class Enough final : public Progress {
   public:
    [[nodiscard]] bool interrupted() const override { return ++asked_ > 3; }

   private:
    mutable int asked_ = 0;
  } enough;
  EXPECT_THROW((void)group_path_lists(network, groups, flows, enough), Interrupted);
}

/// As long as there are routers.
TEST(GroupPaths, MayBeLong) {
  Progress quiet;
  const Network network = make_network("mesh:3000,terminals=2");
  const AdaptiveRouting groups = shortest_groups(network, nullptr, 1, quiet);
  const std::vector<Flow> flows = {{TerminalId(0), TerminalId(1)}, {TerminalId(1), TerminalId(0)}};
  const PathLists lists = group_path_lists(network, groups, flows, quiet);
  ASSERT_EQ(lists.path_count(), 2U);
  std::size_t hops = 0;
  for (RouterId r = network.router_of(TerminalId(0)); r != network.router_of(TerminalId(1));
       r = network.target(lists.path(0)[hops++])) {
  }
  EXPECT_EQ(hops, lists.path(0).size());
}

TEST(GroupPaths, RefuseWhatDoesNotEnd) {
  Progress quiet;
  const Network network = make_network("ring:4");
  AdaptiveRouting groups = shortest_groups(network, nullptr, 1, quiet);
  AdaptivePlane& plane = groups.planes.front();
  const std::vector<Flow> flows = {{TerminalId(0), TerminalId(1)}};
  // Either way at every router: round and round.
  for (const RouterId r : network.routers()) {
    if (r == network.router_of(TerminalId(1))) continue;
    const std::uint32_t group = plane.add_group(r, {0, 1});
    plane.set(r, TerminalId(1), plane.add_choice(r, {ChoiceKind::adaptive, 0, group}));
  }
  EXPECT_THROW((void)group_path_lists(network, groups, flows, quiet), InputError);
  for (const RouterId r : network.routers()) {
    if (r != network.router_of(TerminalId(1))) plane.set(r, TerminalId(1), AdaptivePlane::kNone);
  }
  EXPECT_THROW((void)group_path_lists(network, groups, flows, quiet), InputError);
  groups.planes.push_back(groups.planes.front());
  EXPECT_THROW((void)group_path_lists(network, groups, {}, quiet), InputError);
}

}  // namespace
}  // namespace unknot
