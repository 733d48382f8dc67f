// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/addressed_network.hpp"

#include <gtest/gtest.h>

#include <set>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/network/managed_network.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot {
namespace {

/// Consecutive LIDs from a multiple of their number on, none of them another device's.
void expect_ranges(const Network& wide, std::uint32_t lmc) {
  std::set<std::uint32_t> seen;
  for (const TerminalId t : wide.terminals()) {
    EXPECT_TRUE(seen.insert(wide.terminal_lid(t)).second) << wide.terminal_lid(t);
    if (wide.further_address(t)) {
      EXPECT_EQ(wide.terminal_lid(t), wide.terminal_lid(TerminalId(t.value - 1)) + 1);
    } else {
      EXPECT_EQ(wide.terminal_lid(t) % (1U << lmc), 0U);
    }
  }
  for (const RouterId r : wide.routers()) EXPECT_TRUE(seen.insert(wide.router_lid(r)).second);
  EXPECT_FALSE(seen.contains(0));
}

TEST(AddressedNetwork, HasEachTerminalOnceForEachAddress) {
  for (const char* spec : {"torus:4x4,p=2", "kary-ntree:k=3,n=2", "mesh:1,p=3"}) {
    const Network network = make_network(spec);
    for (const std::uint32_t lmc : {0U, 1U, 3U, 7U}) {
      const Network wide = addressed_network(network, lmc);
      const std::uint32_t count = 1U << lmc;
      ASSERT_EQ(wide.terminal_count(), network.terminal_count() * count);
      ASSERT_EQ(wide.channel_count(), network.channel_count());
      for (const TerminalId t : network.terminals()) {
        for (std::uint32_t rank = 0; rank < count; ++rank) {
          const TerminalId address(t.value * count + rank);
          EXPECT_EQ(wide.router_of(address), network.router_of(t));
          EXPECT_EQ(wide.terminal_port_guid(address), network.terminal_port_guid(t));
          EXPECT_EQ(wide.further_address(address), rank > 0);
        }
      }
      for (const RouterId r : network.routers())
        EXPECT_EQ(wide.terminals_at(r).size(), network.terminals_at(r).size() * count);
      expect_ranges(wide, lmc);
      // Routers' own ports have one address each.
      const ManagedNetwork managed = managed_network(wide);
      for (const RouterId r : wide.routers())
        EXPECT_FALSE(managed.network.further_address(managed.network.own_port(r)));
    }
  }
}

TEST(AddressedNetwork, KeepsLidsThatFitAndSparesThoseOfPortsThatAreGone) {
  NetworkBuilder builder;
  builder.add_routers(2);
  builder.add_cable(RouterId(0), RouterId(1));
  for (int i = 0; i < 4; ++i) builder.add_terminal(RouterId(i / 2));
  builder.labels().router_lid = {1, 9};
  builder.labels().terminal_lid = {8, 6, 16, 20};
  builder.labels().kept_lids = {{0xabc, 4, 5}};
  const Network wide = addressed_network(std::move(builder).build(), 2);
  expect_ranges(wide, 2);
  EXPECT_EQ(wide.terminal_lid(TerminalId(0)), 8U);
  EXPECT_EQ(wide.terminal_lid(TerminalId(4)), 12U);  // 6 begins no range of four, and 4 is kept for another
  EXPECT_EQ(wide.terminal_lid(TerminalId(8)), 16U);
  EXPECT_EQ(wide.terminal_lid(TerminalId(12)), 20U);
  EXPECT_EQ(wide.router_lid(RouterId(0)), 1U);
  EXPECT_EQ(wide.router_lid(RouterId(1)), 2U);  // 9 is the first terminal's now
}

}  // namespace
}  // namespace unknot
