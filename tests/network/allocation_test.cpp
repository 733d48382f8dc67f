// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/allocation.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "refusal.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot {
namespace {

using ::testing::HasSubstr;

std::vector<std::uint32_t> numbers(const auto& ids) {
  std::vector<std::uint32_t> values;
  for (const auto id : ids) values.push_back(id.value);
  return values;
}

std::string allocation_refusal(const Network& network, std::string_view list) {
  return refusal([&] { (void)parse_nodes(network, list); });
}

TEST(Allocation, NumbersNamesRangesAndHostLists) {
  const Network network = make_network("torus:4x2,p=2");
  using Numbers = std::vector<std::uint32_t>;
  EXPECT_EQ(numbers(parse_nodes(network, "0-2,7").routers), (Numbers{0, 1, 2, 7}));
  EXPECT_EQ(numbers(parse_nodes(network, "7,0-2,1,S-2").terminals), (Numbers{0, 1, 2, 3, 4, 5, 14, 15}));
  EXPECT_EQ(numbers(parse_nodes(network, "S-[0-1,3]").routers), (Numbers{0, 1, 3}));
  EXPECT_EQ(numbers(parse_nodes(network, "[2-3]").routers), (Numbers{2, 3}));
  const Allocation by_terminal = parse_nodes(network, "H-3,H-[4-5]");
  EXPECT_EQ(numbers(by_terminal.routers), (Numbers{1, 2}));
  EXPECT_EQ(numbers(by_terminal.terminals), (Numbers{3, 4, 5}));
}

TEST(Allocation, RefusesWhatNamesNothing) {
  const Network network = make_network("torus:4x2");
  EXPECT_EQ(allocation_refusal(network, "0-8"), "nodes: there is no node 8, the network has 8");
  EXPECT_EQ(allocation_refusal(network, "99"), "nodes: there is no node 99, the network has 8");
  EXPECT_EQ(allocation_refusal(network, "3-1"), "nodes: the range 3-1 goes backwards");
  EXPECT_THAT(allocation_refusal(network, "H-9x"), HasSubstr("nodes: no node is called 'H-9x'"));
  EXPECT_THAT(allocation_refusal(network, "H-[6-8]"),
              HasSubstr("nodes: no node is called 'H-8'; did you mean"));
  EXPECT_THAT(allocation_refusal(network, "H-[3-1]"), HasSubstr("goes backwards"));
  EXPECT_THAT(allocation_refusal(network, ""), HasSubstr("empty"));
  EXPECT_THAT(allocation_refusal(network, "1,"), HasSubstr("empty"));
  EXPECT_NE(allocation_refusal(network, "99999999999999999999999"), "");
  EXPECT_THROW((void)transit_from("all"), InputError);
}

TEST(Allocation, FailedNodesAndNodesWithoutTerminalsAreNamed) {
  const Network whole = make_network("torus:4x2");
  const Network network = with_faults(whole, parse_faults(whole, "terminals=6+7"));
  const auto sentence = [&](const char* nodes, const Faults& faults) -> std::string {
    try {
      require_alive(network, parse_nodes(network, nodes), faults);
    } catch (const InputError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(sentence("0-3", {}), "");
  EXPECT_EQ(sentence("0-3", parse_faults(network, "routers=2")),
            "node S-2 is in the allocation, and it has failed");
  EXPECT_EQ(sentence("0-3", parse_faults(network, "terminals=H-1")),
            "H-1 is in the allocation, and it has failed");
  EXPECT_EQ(sentence("0-7", {}), "node S-6 is in the allocation, and it has no terminal");
}

TEST(Allocation, OwnKeepsItsRoutersAndAnyKeepsAll) {
  const Network network = make_network("torus:4x4");
  const Allocation job = parse_nodes(network, "0-3,5");
  const Network own = restrict_to(network, job, Transit::own);
  EXPECT_EQ(own.router_count(), 5U);
  EXPECT_EQ(own.terminal_count(), 5U);
  for (const ChannelId c : own.channels()) {
    EXPECT_THAT((std::vector<std::string>{"S-0", "S-1", "S-2", "S-3", "S-5"}),
                ::testing::Contains(own.router_name(own.source(c))));
  }
  const Network any = restrict_to(network, job, Transit::any);
  EXPECT_EQ(any.router_count(), 16U);
  EXPECT_EQ(any.channel_count(), network.channel_count());
  EXPECT_EQ(any.terminal_count(), 5U);
  EXPECT_EQ(any.terminal_name(TerminalId(4)), "H-5");
  const Faults both =
      merged(parse_faults(network, "routers=9,cables=0"), outside(network, job, Transit::any));
  EXPECT_EQ(with_faults(network, both).router_count(), 15U);
}

/// The routes of jobs on disjoint nodes, as routes of the whole machine.
Routing together(const Network& machine, const std::vector<std::pair<Network, Routing>>& jobs) {
  const auto terminal_of = [&](const std::string& name) {
    for (const TerminalId t : machine.terminals())
      if (machine.terminal_name(t) == name) return t;
    ADD_FAILURE() << name;
    return TerminalId(0);
  };
  const auto channel_of = [&](const Network& network, ChannelId c) {
    for (const RouterId r : machine.routers())
      if (machine.router_guid(r) == network.router_guid(network.source(c)))
        return machine.channel_at(r, network.source_port(c));
    return ChannelId();
  };
  const std::uint32_t terminals = machine.terminal_count();
  std::vector<std::vector<ChannelId>> route_of(std::size_t{terminals} * terminals);
  for (const auto& [network, routing] : jobs) {
    for (const TerminalId s : network.terminals()) {
      for (const TerminalId d : network.terminals()) {
        auto& route = route_of[std::size_t{terminal_of(network.terminal_name(s)).value} * terminals +
                               terminal_of(network.terminal_name(d)).value];
        EXPECT_TRUE(route.empty());
        for (const ChannelId c : routing.routes()->route(s, d)) route.push_back(channel_of(network, c));
      }
    }
  }
  std::vector<std::uint16_t> lengths;
  for (const auto& route : route_of) lengths.push_back(static_cast<std::uint16_t>(route.size()));
  auto routes = std::make_shared<SourceRoutes>(terminals, lengths);
  for (std::uint32_t s = 0; s < terminals; ++s) {
    for (std::uint32_t d = 0; d < terminals; ++d) {
      const auto& from = route_of[std::size_t{s} * terminals + d];
      std::copy(from.begin(), from.end(), routes->route(TerminalId(s), TerminalId(d)).begin());
    }
  }
  Routing all;
  all.paths = routes;
  all.flow_control = FlowControl::bubble;
  return all;
}

std::pair<Network, Routing> job(const Network& machine, const std::string& nodes, Transit transit,
                                const std::string& engine = "angara-sssp") {
  Network network = restrict_to(machine, parse_nodes(machine, nodes), transit);
  Progress silent;
  Routing routing = route(network, engine, {}, silent);
  return {std::move(network), std::move(routing)};
}

/// Channels that both routings use.
std::uint32_t shared_channels(const Network& machine, const std::pair<Network, Routing>& a,
                              const std::pair<Network, Routing>& b) {
  const auto used = [&](const std::pair<Network, Routing>& one) {
    std::vector<bool> marks(machine.channel_count(), false);
    const Routing alone = together(machine, {one});
    for (const TerminalId s : machine.terminals())
      for (const TerminalId d : machine.terminals())
        for (const ChannelId c : alone.routes()->route(s, d)) marks[c.value] = true;
    return marks;
  };
  const auto first = used(a);
  const auto second = used(b);
  std::uint32_t count = 0;
  for (std::size_t c = 0; c < first.size(); ++c) count += first[c] && second[c] ? 1 : 0;
  return count;
}

bool deadlock_free(const Network& machine, const Routing& routing) {
  Progress silent;
  return verify(machine, routing, {}, silent).deadlock_free;
}

// Allocations whose rules differ (the second has lost a dimension) share no channel with transit own.
TEST(Allocation, JobsOfTheirOwnRoutersShareNoChannelAndNoDeadlock) {
  const Network machine = make_network("torus:4x2x2x2");
  for (const auto& [a, b] : {std::pair{"0-15", "16-31"}, {"0-7,16-23", "8-15,24-31"}, {"0-11", "12-31"}}) {
    const auto first = job(machine, a, Transit::own);
    const auto second = job(machine, b, Transit::own, "angara-sssp:turns=exact");
    EXPECT_EQ(shared_channels(machine, first, second), 0U);
    EXPECT_TRUE(deadlock_free(machine, together(machine, {first, second})));
  }
}

// With transit any, jobs share channels. The turns are those of the whole machine, hence the union is sound.
TEST(Allocation, JobsThatShareChannelsByOneRuleShareNoDeadlock) {
  std::uint32_t shared = 0;
  for (const char* spec : {"torus:4x2x2x2", "torus:4x4x2", "torus:3x5x2"}) {
    const Network machine = make_network(spec);
    for (const std::uint32_t stride : {2U, 3U}) {
      std::string a;
      std::string b;
      for (const RouterId r : machine.routers())
        (r.value % stride == 0 ? a : b) += std::to_string(r.value) + ",";
      a.pop_back();
      b.pop_back();
      const auto first = job(machine, a, Transit::any);
      const auto second = job(machine, b, Transit::any);
      shared += shared_channels(machine, first, second);
      const Routing all = together(machine, {first, second});
      EXPECT_TRUE(deadlock_free(machine, all)) << spec << " " << stride;
      // Exactly the pairs of either job are delivered, over the machine's own channels.
      Progress silent;
      const Verdict verdict = verify(machine, all, {}, silent);
      const std::uint64_t m = first.first.terminal_count();
      const std::uint64_t n = second.first.terminal_count();
      EXPECT_EQ(verdict.pairs - verdict.unroutable_pairs, m * (m - 1) + n * (n - 1));
    }
  }
  EXPECT_GT(shared, 100U);
}

}  // namespace
}  // namespace unknot
