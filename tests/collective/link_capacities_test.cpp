// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include "refusal.hpp"
#include "unknot/collective/model/node_graph.hpp"
#include "unknot/network/builder.hpp"

namespace unknot {
namespace {

/// Two routers, three cables, the first of which states a capacity, the second has a rate.
NetworkBuilder three_cables() {
  NetworkBuilder builder;
  builder.add_routers(3);
  builder.add_cable(RouterId(0), RouterId(1));
  builder.set_capacity(12'500, 25'000);
  builder.add_cable(RouterId(1), RouterId(2), link_rate_from("4xHDR"));
  builder.add_cable(RouterId(2), RouterId(0));
  return builder;
}

std::uint32_t capacity(const NodeGraph& graph, std::uint32_t from, std::uint32_t to) {
  return graph.capacity(graph.find(NodeId(from), NodeId(to)));
}

TEST(LinkCapacities, AreStatedElseTheRateElseOne) {
  NetworkBuilder builder = three_cables();
  builder.add_terminal(RouterId(0));
  builder.add_terminal(RouterId(1));
  builder.add_terminal(RouterId(1));
  builder.labels().terminal_capacity = {0, 50'000, 0};
  const Network network = std::move(builder).build();
  const NodeGraph graph(network, {.unit = CapacityUnit::automatic});
  EXPECT_EQ(graph.unit(), CapacityUnit::stated);
  EXPECT_EQ(graph.unit_megabits(), 500U);  // 12.5, 25, 200, 1 and 50 Gb/s
  EXPECT_EQ(capacity(graph, 0, 1), 25U);
  EXPECT_EQ(capacity(graph, 1, 0), 50U);
  EXPECT_EQ(capacity(graph, 1, 2), 400U);
  EXPECT_EQ(capacity(graph, 2, 0), 2U);
  EXPECT_EQ(capacity(graph, 3, 0), 52U);  // alone on its router: no narrower than its channels
  EXPECT_EQ(capacity(graph, 4, 1), 100U);
  EXPECT_EQ(capacity(graph, 1, 5), 2U);
  EXPECT_EQ(graph.assumed_links(), 2U);  // a cable, and that of the last terminal
  const NodeGraph back = graph.reversed();
  EXPECT_EQ(back.unit(), CapacityUnit::stated);
  EXPECT_EQ(back.unit_megabits(), 500U);
  EXPECT_EQ(capacity(back, 0, 1), 50U);
  EXPECT_EQ(NodeGraph(network, {.unit = CapacityUnit::cables}).unit_megabits(), 0U);
  EXPECT_EQ(NodeGraph(network).unit(), CapacityUnit::cables);
  EXPECT_EQ(refusal([&] { (void)NodeGraph(network, {.unit = CapacityUnit::rates}); }),
            "capacities by rate: the rate of S-0 port 1 -> S-1 port 1 is not known");
}

TEST(LinkCapacities, HalfDuplexIsTheWiderOfBothWays) {
  NetworkBuilder builder = three_cables();
  for (std::uint32_t r = 0; r < 3; ++r) builder.add_terminal(RouterId(r));
  const NodeGraph graph(std::move(builder).build(),
                        {.links = LinkClass::half_duplex, .unit = CapacityUnit::stated});
  EXPECT_EQ(graph.link_capacity(graph.link(graph.find(NodeId(0), NodeId(1)))), 50U);
}

TEST(LinkCapacities, ThatAddUpToTooMuchAreRefused) {
  NetworkBuilder builder;
  builder.add_routers(3);
  for (std::uint32_t other = 1; other < 3; ++other) {
    builder.add_cable(RouterId(0), RouterId(other));
    builder.set_capacity(4'000'000'000U + other, 1);
  }
  for (std::uint32_t r = 0; r < 3; ++r) builder.add_terminal(RouterId(r));
  const Network network = std::move(builder).build();
  EXPECT_EQ(refusal([&] { (void)NodeGraph(network, {.unit = CapacityUnit::stated}); }),
            "the capacities of node 0 add up to more than can be counted with; give them in larger units");
  EXPECT_EQ(
      refusal(
          [&] { (void)NodeGraph(network, {.model = NodeModel::terminals, .unit = CapacityUnit::stated}); }),
      "the links of S-0 have more capacity together than can be counted with; give capacities in larger "
      "units");
}

}  // namespace
}  // namespace unknot
