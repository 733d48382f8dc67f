// SPDX-License-Identifier: Apache-2.0
// Trees for multicast groups: the checker judges them together with the tables, and what a tree is is said
// here.
#include "unknot/routing/multicast/multicast.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>
#include <vector>

#include "effort.hpp"
#include "routed.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/network/faults.hpp"
#include "unknot/network/managed_network.hpp"
#include "unknot/routing/management/management.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

std::vector<TerminalId> every(const Network& network, std::uint32_t step = 1, std::uint32_t from = 0) {
  std::vector<TerminalId> all;
  for (std::uint32_t t = from; t < network.terminal_count(); t += step) {
    if (network.terminal_port(TerminalId(t)) != 0) all.emplace_back(t);
  }
  return all;
}

MulticastResult trees(const Network& network, const Routing& routing, std::vector<MulticastWish> groups,
                      std::uint32_t lanes = kMaxLanes, std::uint32_t count = 1) {
  Progress quiet;
  return multicast_trees(network, routing, {.groups = std::move(groups), .lanes = lanes, .trees = count},
                         quiet);
}

Verdict judged(const Network& network, Routing routing, const MulticastResult& result) {
  Progress quiet;
  routing.multicast = std::make_shared<const MulticastTables>(result.tables);
  return verify(network, routing, {}, quiet);
}

class MulticastOf : public ::testing::TestWithParam<std::string> {};

TEST_P(MulticastOf, IsProvenWithTheRest) {
  const std::vector<std::string> specs = {"mesh:4x3",
                                          "torus:4x4x2,p=2",
                                          "kary-ntree:k=3,n=3",
                                          "slimfly:q=5,p=2",
                                          "dragonfly:a=4,h=2,p=2",
                                          "fattree2:4,p=2",
                                          "random:switches=24,links=50,terminals=60,seed=2"};
  std::uint32_t proven = 0;
  for (const std::string& spec : specs) {
    const Network network = make_network(spec);
    Routing data;
    try {
      data = routed(network, GetParam(), 8);
    } catch (const RoutingFailure&) {
      continue;
    }
    if (data.routes() != nullptr || data.lane_map != nullptr) continue;
    Progress quiet;
    const ManagedNetwork managed = managed_network(network);
    const Routing both = with_management(network, data, managed, {.lanes = 8, .hosts = {}}, quiet).routing;
    const std::vector<MulticastWish> wishes = {{0xC000, {}, every(managed.network)},
                                               {0xC001, {}, every(managed.network, 5, 2)},
                                               {0xC005, {}, {managed.of_terminal[0]}}};
    for (const std::uint32_t count : {1U, 2U}) {
      const MulticastResult result = trees(managed.network, both, wishes, 8, count);
      EXPECT_GE(result.roots.size(), 1U) << spec;  // a second one may close a cycle with the first
      EXPECT_LE(result.roots.size(), count) << spec;
      ASSERT_EQ(result.tables.groups.size(), wishes.size());
      for (std::size_t g = 0; g < wishes.size(); ++g) {
        std::vector<TerminalId> wanted = wishes[g].members;
        for (const MulticastGap& gap : result.left_out) {
          if (gap.lid != wishes[g].lid) continue;
          std::erase_if(wanted, [&](TerminalId t) {
            return std::count(gap.members.begin(), gap.members.end(), t) > 0;
          });
        }
        EXPECT_EQ(members(managed.network, result.tables.groups[g]), wanted) << spec;
      }
      const Verdict verdict = judged(managed.network, both, result);
      EXPECT_TRUE(verdict.multicast->complete()) << spec;
      EXPECT_EQ(verdict.deadlock_free, judged(managed.network, both, {}).deadlock_free) << spec;
      proven += verdict.deadlock_free && result.left_out.empty() ? 1U : 0U;
      EXPECT_EQ(result.tables, trees(managed.network, both, wishes, 8, count).tables);
    }
  }
  EXPECT_GT(proven, GetParam() == "minhop" || GetParam() == "sssp" ? 2U : 4U);
}

INSTANTIATE_TEST_SUITE_P(Engines, MulticastOf,
                         ::testing::Values("unknot", "dfsssp", "lash", "updn", "dnup", "nue", "minhop",
                                           "sssp"),
                         [](const auto& instance) { return instance.param; });

TEST(MulticastTrees, AnyPartOfAProvenTreeIsProven) {
  const Network network = make_network("dragonfly:a=4,h=2,p=2");
  const Routing data = routed(network, "unknot", 4);
  const MulticastResult all = trees(network, data, {{0xC000, {}, every(network)}});
  ASSERT_TRUE(judged(network, data, all).usable());
  for (std::uint32_t step = 2; step < 9; ++step) {
    const MulticastResult some =
        trees(network, data, {{0xC000, {}, every(network)}, {0xC001, {}, every(network, step)}});
    for (const RouterId r : network.routers()) {
      const auto whole = all.tables.groups[0].ports(r);
      for (const std::uint16_t port : some.tables.groups[1].ports(r))
        EXPECT_TRUE(std::binary_search(whole.begin(), whole.end(), port));
    }
    EXPECT_TRUE(judged(network, data, some).usable());
  }
}

TEST(MulticastTrees, NoPortLeadsToNobody) {
  const Network network = make_network("kary-ntree:k=4,n=3");
  const MulticastResult result =
      trees(network, routed(network, "ftree"),
            {{0xC000, {}, {TerminalId(0), TerminalId(1)}}, {0xC001, {}, {TerminalId(0), TerminalId(63)}}});
  EXPECT_EQ(result.tables.groups[0].routers().size(), 1U);  // both at one router
  EXPECT_EQ(result.tables.groups[1].routers().size(), 5U);  // up to the root and down
  for (const RouterId r : result.tables.groups[1].routers())
    EXPECT_EQ(result.tables.groups[1].ports(r).size(), 2U);
}

TEST(MulticastTrees, KeepToTheLevelTheyAreGiven) {
  const Network network = make_network("torus:4x4,p=2");
  const Routing data = routed(network, "lash", 4);
  for (std::uint8_t level = 0; level < 4; ++level) {
    const MulticastResult result = trees(network, data, {{0xC000, level, every(network)}}, 4);
    EXPECT_EQ(result.tables.groups[0].level(), level);
    const Verdict verdict = judged(network, data, result);
    EXPECT_TRUE(verdict.deadlock_free);
    EXPECT_TRUE(verdict.multicast->complete());
    EXPECT_EQ(verdict.multicast->pairs == 32U * 31U, result.left_out.empty());
  }
  // A lane that is not there carries nothing.
  const MulticastResult none = trees(network, data, {{0xC000, std::uint8_t{5}, every(network)}}, 4);
  ASSERT_EQ(none.left_out.size(), 1U);
  EXPECT_EQ(none.left_out[0].members.size() + members(network, none.tables.groups[0]).size(), 32U);
}

TEST(MulticastTrees, NameWhoIsCutOff) {
  const Network whole = make_network("mesh:4");
  const Network network = with_faults(whole, parse_faults(whole, "cables=1-2"));
  const MulticastResult result = trees(network, routed(network, "updn"), {{0xC000, {}, every(network)}});
  ASSERT_EQ(result.left_out.size(), 1U);
  EXPECT_EQ(result.left_out[0].members.size(), 2U);
}

TEST(MulticastTrees, GroupsThatACommonTreeLeavesOutHaveTheirOwn) {
  const Network whole = make_network("mesh:4");
  const Network network = with_faults(whole, parse_faults(whole, "cables=1-2"));
  const Routing data = routed(network, "updn");
  const MulticastResult result = trees(network, data,
                                       {{0xC000, {}, every(network)},
                                        {0xC001, {}, {TerminalId(0), TerminalId(1)}},
                                        {0xC002, {}, {TerminalId(2), TerminalId(3)}}});
  ASSERT_EQ(result.left_out.size(), 1U);
  EXPECT_EQ(result.left_out[0].lid, 0xC000);
  EXPECT_EQ(result.roots.size(), 2U);
  const Verdict verdict = judged(network, data, result);
  EXPECT_TRUE(verdict.deadlock_free);
  EXPECT_TRUE(verdict.multicast->complete());
  EXPECT_EQ(verdict.multicast->pairs, 6U);
}

TEST(MulticastTrees, OneRouterNeedsNoTree) {
  NetworkBuilder builder;
  builder.add_router();
  for (int i = 0; i < 3; ++i) builder.add_terminal(RouterId(0));
  const Network network = std::move(builder).build();
  const Routing data = routed(network, "minhop");
  const MulticastResult result = trees(network, data, {{0xC000, {}, every(network)}});
  EXPECT_TRUE(judged(network, data, result).usable());
  EXPECT_EQ(members(network, result.tables.groups[0]).size(), 3U);
}

TEST(MulticastTrees, NeedLanesThatAreLevels) {
  const Network network = make_network("torus:5x5");
  const Routing data = routed(network, "dor", 2);
  ASSERT_NE(data.lane_map, nullptr);
  EXPECT_THROW(trees(network, data, {{0xC000, {}, every(network)}}), InputError);
}

}  // namespace
}  // namespace unknot
