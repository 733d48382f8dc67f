// SPDX-License-Identifier: Apache-2.0
// Several addresses of a host in the simulator: they share its port, and their paths are all used.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "unknot/engines/catalogue.hpp"
#include "unknot/load/address_spread.hpp"
#include "unknot/network/addressed_network.hpp"
#include "unknot/simulate/core/engine.hpp"
#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/simulate/sources/addressed_source.hpp"
#include "unknot/support/error.hpp"
#include "unknot/tables/further_addresses.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot::simulate {
namespace {

constexpr std::uint32_t kLmc = 2;
constexpr std::uint32_t kAddresses = 1U << kLmc;

struct Fabric {
  Network hosts;
  Routing routing;
  RoutePlan plan;
};

Fabric fabric(const std::string& spec, const std::string& engine, AddressChoice choice) {
  Progress quiet;
  Fabric made{make_network(spec), {}, {}};
  const Network wide = addressed_network(made.hosts, kLmc);
  EngineRequest request;
  request.virtual_lanes = 8;
  made.routing = with_further_addresses(made.hosts, wide, route(wide, engine, request, quiet));
  const OnEveryAddress all = on_every_address(made.hosts, made.routing);
  made.plan = plan_routing(all.network, all.routing, false);
  made.plan.hosts = std::make_shared<const Network>(made.hosts);
  made.plan.address = choice;
  return made;
}

Settings settings_of(const RoutePlan& plan) {
  Settings s;
  s.vcs = plan.lanes_needed;
  s.vc_buffer = 8;
  s.warmup = 2000;
  s.measure = 20000;
  return s;
}

TEST(SimulatedAddresses, ThereAndBackIsTheSameRouting) {
  Progress quiet;
  for (const char* spec : {"torus:4x3,p=2", "xgft:m=4x3,w=2x3"}) {
    for (const char* engine : {"dfsssp", "updn"}) {
      const Network network = make_network(spec);
      const Network wide = addressed_network(network, kLmc);
      EngineRequest request;
      request.virtual_lanes = 8;
      const Routing made = route(wide, engine, request, quiet);
      const OnEveryAddress all = on_every_address(network, with_further_addresses(network, wide, made));
      EXPECT_EQ(all.routing.table(), made.table());
      for (const TerminalId s : wide.terminals()) {
        if (wide.further_address(s)) continue;
        for (const TerminalId d : wide.terminals()) {
          if (s != d) {
            ASSERT_EQ(all.routing.service_levels.get(s, d), made.service_levels.get(s, d));
          }
        }
      }
    }
  }
}

TEST(SimulatedAddresses, ShareThePortOfTheirHost) {
  const Fabric made = fabric("torus:4x3,p=2", "dfsssp", AddressChoice::random);
  const Ports& ports = made.plan.ports;
  EXPECT_EQ(ports.inputs(), made.hosts.channel_count() + made.hosts.terminal_count());
  for (const TerminalId t : made.plan.network.terminals()) {
    const std::uint32_t first = t.value / kAddresses * kAddresses;
    EXPECT_EQ(ports.input_of_terminal[t.value], ports.input_of_terminal[first]);
    EXPECT_EQ(ports.output_of_terminal[t.value], ports.output_of_terminal[first]);
  }
}

/// At a low load each channel carries what its paths say: pairs, each evenly over its addresses.
TEST(SimulatedAddresses, ChannelsCarryTheMeanOfAllAddresses) {
  Progress quiet;
  for (const char* spec : {"torus:4x4,p=2", "xgft:m=4x3,w=2x3"}) {
    for (const AddressChoice choice : {AddressChoice::random, AddressChoice::turn, AddressChoice::least}) {
      SCOPED_TRACE(std::string(spec) + " " + std::to_string(static_cast<int>(choice)));
      const Fabric made = fabric(spec, "dfsssp", choice);
      const double load = 0.1;
      const SteadyReport run =
          run_steady(made.plan, settings_of(made.plan), make_pattern(made.hosts, "uniform"), load, quiet);
      ASSERT_TRUE(run.steady) << run.verdict;
      EXPECT_NEAR(run.accepted, load, 0.01);
      const std::vector<std::uint64_t> pairs = load_of_addresses(made.hosts, made.routing);
      for (const ChannelId c : made.hosts.channels()) {
        const double expected =
            load * static_cast<double>(pairs[c.value]) / kAddresses / (made.hosts.terminal_count() - 1);
        // Packets in 20,000 cycles, as many as a Poisson process has.
        const double spread = 5 * std::sqrt(expected * 20000 + 1) / 20000;
        EXPECT_NEAR(run.utilisation[c.value], expected, spread) << c.value;
      }
    }
  }
}

/// A host takes a flit a cycle, under all its addresses together.
TEST(SimulatedAddresses, AHostIsNoFasterForThem) {
  Progress quiet;
  const Fabric made = fabric("mesh:1,p=4", "updn", AddressChoice::random);
  const SteadyReport run = run_steady(made.plan, settings_of(made.plan),
                                      make_pattern(made.hosts, "hotspot:fraction=1"), 0.9, quiet);
  EXPECT_TRUE(run.saturated);
  EXPECT_LT(run.accepted * made.hosts.terminal_count(), 1.01 + 0.9);
}

/// What is proven does not stop at any load; in builds for development the laws of the model hold as it runs.
TEST(SimulatedAddresses, WhatIsProvenDoesNotStop) {
  Progress quiet;
  for (const char* spec : {"torus:4x4,p=2", "dragonfly:a=4,h=2,p=2"}) {
    for (const AddressChoice choice : {AddressChoice::random, AddressChoice::flow, AddressChoice::least}) {
      const Fabric made = fabric(spec, "dfsssp", choice);
      const SteadyReport run =
          run_steady(made.plan, settings_of(made.plan), make_pattern(made.hosts, "uniform"), 1, quiet);
      EXPECT_TRUE(run.deadlock.empty());
      EXPECT_GT(run.accepted, 0.2);
    }
  }
}

/// Packets one after the other, without a network.
class InOrder final : public Source {
 public:
  bool next(std::uint32_t terminal, std::uint64_t cycle, NewPacket& packet) override {
    packet = {cycle, (terminal + 1) % 3, 1, 0};
    return true;
  }
  [[nodiscard]] std::uint32_t longest_packet() const override { return 1; }
};

TEST(SimulatedAddresses, AreChosenAsAsked) {
  InOrder hosts;
  NewPacket packet;
  AddressedSource turn(hosts, 3, 4, AddressChoice::turn, 1);
  for (std::uint32_t i = 0; i < 8; ++i) {
    ASSERT_TRUE(turn.next(4, i, packet));
    EXPECT_EQ(packet.destination, 2 * 4 + i % 4);
  }
  EXPECT_FALSE(turn.next(5, 0, packet));
  AddressedSource flow(hosts, 3, 4, AddressChoice::flow, 1);
  ASSERT_TRUE(flow.next(4, 0, packet));
  const std::uint32_t first = packet.destination;
  for (std::uint32_t i = 0; i < 8; ++i) {
    ASSERT_TRUE(flow.next(4, i, packet));
    EXPECT_EQ(packet.destination, first);
  }
  AddressedSource any(hosts, 3, 4, AddressChoice::random, 1);
  std::map<std::uint32_t, int> seen;
  for (std::uint32_t i = 0; i < 4000; ++i) {
    ASSERT_TRUE(any.next(0, i, packet));
    ++seen[packet.destination];
  }
  EXPECT_EQ(seen.size(), 4U);
  for (const auto& [to, count] : seen) EXPECT_NEAR(count, 1000, 150) << to;
  // The one that has nothing on the way is taken.
  AddressedSource least(hosts, 3, 4, AddressChoice::least, 1);
  std::map<std::uint32_t, std::uint32_t> message;
  for (std::uint32_t i = 0; i < 4; ++i) {
    ASSERT_TRUE(least.next(0, i, packet));
    message[packet.destination] = packet.message;
  }
  EXPECT_EQ(message.size(), 4U);
  least.arrived(message[1 * 4 + 2], 9);
  ASSERT_TRUE(least.next(0, 10, packet));
  EXPECT_EQ(packet.destination, 1U * 4 + 2);
  EXPECT_THROW(AddressedSource(hosts, 100'000, 8, AddressChoice::least, 1), InputError);
}

}  // namespace
}  // namespace unknot::simulate
