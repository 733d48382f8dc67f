// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/builder.hpp"

#include <gtest/gtest.h>

#include "unknot/support/error.hpp"

namespace unknot {
namespace {

TEST(NetworkBuilder, KeepsParallelCablesApart) {
  NetworkBuilder builder;
  const RouterId a = builder.add_routers(2);
  const RouterId b(1);
  builder.add_cable(a, b);
  builder.add_cable(a, b);
  builder.add_terminal(b);
  builder.add_terminal(a);
  const Network net = std::move(builder).build();
  ASSERT_EQ(net.channel_count(), 4U);
  for (const ChannelId c : net.channels()) {
    const ChannelId back = net.reverse(c);
    EXPECT_EQ(net.reverse(back), c);
    EXPECT_EQ(net.source(back), net.target(c));
    EXPECT_EQ(net.source_port(back), net.target_port(c));
    EXPECT_EQ(net.channel_at(net.source(c), net.source_port(c)), c);
  }
  EXPECT_NE(net.source_port(net.out(a)[0]), net.source_port(net.out(a)[1]));
  EXPECT_EQ(net.router_of(TerminalId(0)), a);
  EXPECT_EQ(net.router_of(TerminalId(1)), b);
  EXPECT_EQ(net.terminal_at(b, 3), TerminalId(1));
  EXPECT_EQ(net.port_count(a), 3U);
}

TEST(NetworkBuilder, OneWayChannelsHaveNoReverse) {
  NetworkBuilder builder;
  builder.add_routers(3);
  for (std::uint32_t i = 0; i < 3; ++i) builder.add_channel(RouterId(i), RouterId((i + 1) % 3));
  const Network net = std::move(builder).build();
  EXPECT_EQ(net.channel_count(), 3U);
  for (const ChannelId c : net.channels()) EXPECT_FALSE(net.reverse(c).valid());
  EXPECT_EQ(net.in(RouterId(0)).size(), 1U);
}

TEST(NetworkBuilder, RefusesWhatNoFabricCanBe) {
  NetworkBuilder loop;
  loop.add_router();
  EXPECT_THROW(loop.add_cable(RouterId(0), RouterId(0)), InputError);
  NetworkBuilder twice;
  twice.add_routers(2);
  twice.add_cable(RouterId(0), 1, RouterId(1), 1);
  twice.add_terminal(RouterId(0), 1);
  EXPECT_THROW((void)std::move(twice).build(), InputError);
}

}  // namespace
}  // namespace unknot
