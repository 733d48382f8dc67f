// SPDX-License-Identifier: Apache-2.0
// Which routers without hosts have to seek a way: beside the definition, followed packet by packet.
#include "unknot/routing/management/seeking_routers.hpp"

#include <gtest/gtest.h>

#include <cstdint>
#include <random>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"

namespace unknot {
namespace {

/// Routers in a ring with further cables, half of them with up to three hosts.
Network random_network(std::mt19937& random) {
  NetworkBuilder builder;
  const std::uint32_t routers = 3 + random() % 10;
  builder.add_routers(routers);
  for (std::uint32_t i = 0; i < routers; ++i) builder.add_cable(RouterId(i), RouterId((i + 1) % routers));
  for (std::uint32_t i = 0; i < random() % 12; ++i) {
    const std::uint32_t a = random() % routers;
    const std::uint32_t b = random() % routers;
    if (a != b) builder.add_cable(RouterId(a), RouterId(b));
  }
  for (std::uint32_t r = 0; r < routers; ++r) {
    if (r > 0 && random() % 2 == 0) continue;
    for (std::uint32_t hosts = 1 + random() % 3; hosts > 0; --hosts) builder.add_terminal(RouterId(r));
  }
  return std::move(builder).build();
}

/// Trees by a search in random order, so that many ways are no shortest ones; then some entries are others,
/// or none.
ForwardingTable random_table(const Network& network, std::uint32_t wrong, std::mt19937& random) {
  ForwardingTable table(network);
  for (const TerminalId d : network.terminals()) {
    std::vector<RouterId> reached{network.router_of(d)};
    std::vector<bool> seen(network.router_count(), false);
    seen[reached[0].value] = true;
    while (!reached.empty()) {
      const std::size_t i = random() % 4 == 0 ? random() % reached.size() : 0;
      const RouterId at = reached[i];
      reached.erase(reached.begin() + static_cast<std::ptrdiff_t>(i));
      for (const ChannelId c : network.in(at)) {
        const RouterId from = network.source(c);
        if (seen[from.value]) continue;
        seen[from.value] = true;
        table.set(from, d, c.value - network.out(from).first());
        reached.push_back(from);
      }
    }
    for (const RouterId r : network.routers()) {
      if (r == network.router_of(d) || random() % 100 >= wrong) continue;
      const std::uint32_t choice = random() % (network.out(r).size() + std::uint32_t{1});
      table.set(r, d, choice == network.out(r).size() ? ForwardingTable::kNone : choice);
    }
  }
  return table;
}

/// Calls `turn` for each channel and the position of the next; false where the packet does not arrive.
template <class Turn>
bool follow(const Network& network, const ForwardingTable& table, RouterId from, TerminalId to,
            const Turn& turn) {
  ChannelId before;
  std::uint32_t hops = 0;
  for (RouterId at = from; at != network.router_of(to);) {
    const ChannelId next = table.next(network, at, to);
    if (before.valid() && next.valid()) turn(before, table.get(at, to));
    if (!next.valid() || ++hops > network.router_count()) return false;
    before = next;
    at = network.target(next);
  }
  return true;
}

TEST(SeekingRouters, AreThoseThatCannotFollowDataToAHost) {
  std::uint64_t seeking = 0;
  std::uint64_t following = 0;
  for (std::uint32_t seed = 0; seed < 400; ++seed) {
    std::mt19937 random(seed);
    const ManagedNetwork managed = managed_network(random_network(random));
    const Network& network = managed.network;
    const ForwardingTable table = random_table(network, seed % 3 == 0 ? 0 : 8, random);
    const DependencySlots slots(network);
    std::vector<std::uint16_t> uses(slots.count(), 0);
    for (const TerminalId host : network.terminals()) {
      for (const TerminalId to : network.terminals()) {
        if (!managed.host[host.value].valid() || !managed.host[to.value].valid()) continue;
        follow(network, table, network.router_of(host), to,
               [&](ChannelId c, std::uint32_t position) { uses[slots.slot(c.value, position)] = 1; });
      }
    }
    const auto found = seeking_routers(managed, table, slots, uses, seed % 3);
    ASSERT_EQ(found.size(), network.terminal_count());
    for (const TerminalId to : network.terminals()) {
      std::vector<RouterId> expected;
      for (const RouterId r : network.routers()) {
        if (network.terminals_at(r).size() > 1 || network.terminals_at(network.router_of(to)).size() == 1)
          continue;
        bool of_data = true;
        const bool arrives = follow(network, table, r, to, [&](ChannelId c, std::uint32_t position) {
          of_data &= uses[slots.slot(c.value, position)] != 0;
        });
        if (!arrives || !of_data) expected.push_back(r);
        ++(arrives && of_data ? following : seeking);
      }
      EXPECT_EQ(found[to.value], expected) << "seed " << seed << ", to " << to.value;
    }
  }
  EXPECT_GT(seeking, 1000U);
  EXPECT_GT(following, 1000U);
}

}  // namespace
}  // namespace unknot
