// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <map>

#include "topology/refusal.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

/// Megabits a second of all channels out of a router, by the router that they lead to.
std::map<std::uint32_t, std::uint32_t> links_of(const Network& network, std::uint32_t router) {
  std::map<std::uint32_t, std::uint32_t> all;
  for (const ChannelId c : network.out(RouterId(router))) {
    all[network.target(c).value] += network.channel_capacity(c);
    EXPECT_EQ(network.channel_capacity(c), network.channel_capacity(network.reverse(c)));
  }
  return all;
}

using Links = std::map<std::uint32_t, std::uint32_t>;

TEST(Boxes, GpusHaveALinkToTheirBoxAndOneToTheirRail) {
  const Network network = make_network("boxes:2,8");
  EXPECT_EQ(network.router_count(), 16U + 2 + 8);
  EXPECT_EQ(network.terminal_count(), 16U);
  EXPECT_EQ(links_of(network, 0), (Links{{16, 3'600'000}, {18, 400'000}}));
  EXPECT_EQ(links_of(network, 11), (Links{{17, 3'600'000}, {21, 400'000}}));
  for (std::uint32_t g = 0; g < 16; ++g) EXPECT_EQ(network.terminals_at(RouterId(g)).size(), 1U);
  EXPECT_EQ(links_of(network, 25), (Links{{7, 400'000}, {15, 400'000}}));
  EXPECT_EQ(network.source_port(network.out(RouterId(3))[0]), 1);
  EXPECT_EQ(network.target(network.channel_at(RouterId(3), 1)).value, 16U);
}

TEST(Boxes, OfManySizesShareRailsAndSpines) {
  const Network network = make_network("boxes:3,gpus=4x4x2,rails=2,card=12.5,link=100,spines=2,uplink=800");
  EXPECT_EQ(network.router_count(), 10U + 3 + 2 + 2);
  EXPECT_EQ(links_of(network, 5), (Links{{11, 100'000}, {14, 12'500}}));
  EXPECT_EQ(links_of(network, 8), (Links{{12, 100'000}, {13, 12'500}}));
  EXPECT_EQ(links_of(network, 15), (Links{{13, 800'000}, {14, 800'000}}));
  const Network last = make_network("boxes:5,gpus=2x3");  // all but the first have three
  EXPECT_EQ(last.terminal_count(), 14U);
  EXPECT_EQ(last.router_count(), 14U + 5 + 3);
}

TEST(Boxes, OfAMesh) {
  const Network network = make_network("boxes:2,gpus=4,inside=mesh,rails=1,card=50");
  EXPECT_EQ(network.router_count(), 9U);
  EXPECT_EQ(links_of(network, 5), (Links{{4, 512'000}, {6, 512'000}, {7, 512'000}, {8, 50'000}}));
}

TEST(Boxes, AreRefusedWhereTheyMakeNoSense) {
  EXPECT_EQ(refusal("boxes:2,gpus=8x8x8"),
            "topology boxes: gpus says the number of GPUs of 3 boxes, but there are 2");
  EXPECT_EQ(refusal("boxes:2,gpus=4,rails=8"), "topology boxes: 8 rails, but no box has more than 4 GPUs");
  EXPECT_EQ(refusal("boxes:2,spines=2"),
            "topology boxes: spines and uplink, the capacity of the cables to them, go together");
  EXPECT_EQ(refusal("boxes:2,uplink=2"),
            "topology boxes: spines and uplink, the capacity of the cables to them, go together");
  EXPECT_EQ(
      refusal("boxes:2,card=0.0001"),
      "topology boxes: card: expected a capacity in Gb/s from 0.001 to 4294967.295, with three decimals "
      "at most");
  EXPECT_EQ(refusal("boxes:100000,gpus=1024,inside=mesh"),
            "topology boxes:100000,gpus=1024,inside=mesh would have 102401024 routers; at most 20000000 are "
            "supported");
}

}  // namespace
}  // namespace unknot
