// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/live/joined_network.hpp"

#include <gtest/gtest.h>

#include <optional>

#include "unknot/network/builder.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

Network less(const Network& whole, const char* faults) {
  return with_faults(whole, parse_faults(whole, faults));
}

/// Routers, channels and terminals of the one are those of the other: by GUID and port, in one order.
void expect_same(const Network& a, const Network& b) {
  ASSERT_EQ(a.router_count(), b.router_count());
  ASSERT_EQ(a.channel_count(), b.channel_count());
  ASSERT_EQ(a.terminal_count(), b.terminal_count());
  for (const RouterId r : a.routers()) EXPECT_EQ(a.router_guid(r), b.router_guid(r));
  for (const TerminalId t : a.terminals()) {
    EXPECT_EQ(a.terminal_port_guid(t), b.terminal_port_guid(t));
    EXPECT_EQ(a.terminal_port(t), b.terminal_port(t));
    EXPECT_EQ(a.router_of(t), b.router_of(t));
  }
  for (const ChannelId c : a.channels()) {
    EXPECT_EQ(a.source(c), b.source(c));
    EXPECT_EQ(a.target(c), b.target(c));
    EXPECT_EQ(a.source_port(c), b.source_port(c));
    EXPECT_EQ(a.target_port(c), b.target_port(c));
    EXPECT_EQ(a.reverse(c), b.reverse(c));
  }
}

TEST(LostParts, AreTheFaultsThatLeaveTheRest) {
  const Network whole = make_network("xgft:m=4x3,w=2x2");
  for (const char* faults : {"", "cables=0+7", "channels=3", "routers=1", "routers=0+14,cables=20",
                             "cable-rate=0.3,router-count=2"}) {
    const Network now = *faults == 0 ? whole : less(whole, faults);
    const std::optional<Faults> lost = lost_parts(whole, now);
    ASSERT_TRUE(lost) << faults;
    expect_same(with_faults(whole, *lost), now);
  }
  EXPECT_FALSE(lost_parts(whole, less(whole, "terminals=3")));
  EXPECT_FALSE(lost_parts(less(whole, "cables=0"), whole));
  EXPECT_FALSE(lost_parts(less(whole, "routers=2"), whole));
  EXPECT_FALSE(lost_parts(whole, make_network("xgft:m=4x3,w=2x3")));
}

TEST(JoinedNetwork, HasTheWholeOfTwoParts) {
  const Network whole = make_network("xgft:m=4x3,w=2x2");
  const Network a = less(whole, "cables=0+7,routers=4");
  const Network b = less(whole, "cables=9,routers=2+14");
  const std::optional<Network> joined = joined_network(a, b);
  ASSERT_TRUE(joined);
  const std::optional<Faults> lost = lost_parts(whole, *joined);
  ASSERT_TRUE(lost);
  EXPECT_TRUE(lost->routers.empty());
  expect_same(with_faults(*joined, lost_parts(*joined, a).value()), a);
  expect_same(with_faults(*joined, lost_parts(*joined, b).value()), b);
}

TEST(JoinedNetwork, IsNoneWhereTheTwoContradictEachOther) {
  const Network whole = make_network("xgft:m=4x3,w=2x2");
  EXPECT_FALSE(joined_network(whole, less(whole, "terminals=3")));
  const auto pair_of = [](bool exchanged) {
    NetworkBuilder builder;
    builder.add_routers(3);
    builder.add_cable(RouterId(0), 1, RouterId(exchanged ? 2 : 1), 1);
    builder.add_cable(RouterId(0), 2, RouterId(exchanged ? 1 : 2), 1);
    return std::move(builder).build();
  };
  EXPECT_TRUE(joined_network(pair_of(false), pair_of(false)));
  EXPECT_FALSE(joined_network(pair_of(false), pair_of(true)));
  const auto in_order = [](std::vector<std::uint64_t> guids) {
    NetworkBuilder builder;
    builder.add_routers(2);
    builder.labels().router_guid = std::move(guids);
    builder.add_cable(RouterId(0), 1, RouterId(1), 1);
    return std::move(builder).build();
  };
  EXPECT_TRUE(joined_network(in_order({5, 9}), in_order({5, 9})));
  EXPECT_FALSE(joined_network(in_order({5, 9}), in_order({9, 5})));
}

}  // namespace
}  // namespace unknot
