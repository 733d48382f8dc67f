// SPDX-License-Identifier: Apache-2.0
// Multicast in the simulator: every member gets a copy of every packet, what is proven does not stop, and
// what stops is not proven.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <memory>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "random_tree.hpp"
#include "unknot/engines/catalogue.hpp"
#include "unknot/network/managed_network.hpp"
#include "unknot/routing/management/management.hpp"
#include "unknot/routing/multicast/multicast.hpp"
#include "unknot/simulate/core/engine.hpp"
#include "unknot/simulate/core/packets.hpp"
#include "unknot/simulate/deadlock_watch.hpp"
#include "unknot/simulate/parts/parted_engine.hpp"
#include "unknot/simulate/plan/group_plan.hpp"
#include "unknot/simulate/plan/route_plan.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/support/error.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"
#include "unknot/verify/verify.hpp"

namespace unknot::simulate {
namespace {

Settings whole_packets(std::uint32_t lanes, std::uint32_t buffer) {
  Settings s;
  s.router = RouterKind::input_output_queued;
  s.vcs = lanes;
  s.vc_buffer = buffer;
  s.output_buffer = buffer;
  s.warmup = 500;
  s.measure = 3000;
  return s;
}

/// A network with its management, tables, and groups of hosts.
struct Fabric {
  Network network;
  Routing routing;
};

Fabric fabric(const std::string& spec, const std::string& engine, std::uint32_t lanes) {
  Progress quiet;
  const Network network = make_network(spec);
  EngineRequest request;
  request.virtual_lanes = lanes;
  const ManagedNetwork managed = managed_network(network);
  Fabric made{managed.network, with_management(network, route(network, engine, request, quiet), managed,
                                               {.lanes = lanes, .hosts = {}}, quiet)
                                   .routing};
  MulticastRequest groups;
  groups.lanes = lanes;
  for (std::uint16_t g = 0; g < 3; ++g) {
    MulticastWish wish{static_cast<std::uint16_t>(0xC000 + g), std::nullopt, {}};
    for (const TerminalId t : managed.network.terminals()) {
      if (managed.network.terminal_port(t) != 0 && t.value % (2 * g + 1) == 0) wish.members.push_back(t);
    }
    groups.groups.push_back(std::move(wish));
  }
  const MulticastResult trees = multicast_trees(made.network, made.routing, groups, quiet);
  EXPECT_TRUE(trees.left_out.empty());
  made.routing.multicast = std::make_shared<const MulticastTables>(trees.tables);
  made.routing.virtual_lanes += trees.lanes_more;
  return made;
}

RoutePlan planned(const Fabric& fabric, double share) {
  RoutePlan plan = plan_routing(fabric.network, fabric.routing, false);
  plan.multicast = plan_groups(fabric.network, plan.ports, *fabric.routing.multicast, share);
  return plan;
}

/// Each terminal sends some packets to each group that it can send to, one a cycle.
class ToGroups final : public Source {
 public:
  ToGroups(const GroupTraffic& traffic, std::uint32_t terminals, std::uint32_t rounds)
      : traffic_(traffic), sent_(terminals, 0), rounds_(rounds) {}
  bool next(std::uint32_t terminal, std::uint64_t cycle, NewPacket& packet) override {
    const auto groups = traffic_.groups_of(terminal);
    if (sent_[terminal] >= rounds_ * groups.size()) return false;
    packet = {cycle, Packet::kGroup | groups[sent_[terminal]++ % groups.size()], 1, 0};
    return true;
  }
  [[nodiscard]] std::uint32_t longest_packet() const override { return 1; }

 private:
  const GroupTraffic& traffic_;
  std::vector<std::size_t> sent_;
  std::uint32_t rounds_;
};

TEST(SimulatedMulticast, EveryMemberGetsEveryPacketOnce) {
  for (const auto& [spec, engine] :
       std::vector<std::pair<std::string, std::string>>{{"torus:4x4", "dfsssp"},
                                                        {"kary-ntree:k=3,n=2", "ftree"},
                                                        {"dragonfly:a=4,h=2,p=2", "updn"},
                                                        {"mesh:3x2,p=2", "lash"}}) {
    SCOPED_TRACE(spec);
    const Fabric made = fabric(spec, engine, 4);
    const RoutePlan plan = planned(made, 1);
    const std::uint32_t rounds = 5;
    std::uint64_t packets = 0;
    std::uint64_t copies = 0;
    for (const MulticastGroup& group : made.routing.multicast->groups) {
      const std::vector<TerminalId> all = members(made.network, group);
      for (const TerminalId t : made.network.terminals()) {
        // Routers that are on the tree copy for anybody; a member is not sent its own.
        const auto ports = group.ports(made.network.router_of(t));
        const std::uint16_t own = made.network.terminal_port(t);
        if (std::none_of(ports.begin(), ports.end(), [&](std::uint16_t port) { return port != own; }))
          continue;
        packets += rounds;
        copies += rounds * (all.size() - std::count(all.begin(), all.end(), t));
      }
    }
    std::uint64_t last = 0;
    for (const auto& [buffer, parts] :
         std::vector<std::pair<std::uint32_t, std::uint32_t>>{{2, 1}, {2, 3}, {1, 1}, {8, 1}, {1, 2}}) {
      ToGroups source(plan.multicast, made.network.terminal_count(), rounds);
      const Settings settings = whole_packets(plan.lanes_needed, buffer);
      const LinkTimes links = link_times(made.network, settings);
      const auto engine_of = parts == 1 ? make_engine(plan, settings, links, source)
                                        : make_parted_engine(parts, plan, settings, links, source);
      for (std::uint64_t cycle = 50; engine_of->run_until(cycle); cycle += 50) {
        ASSERT_EQ(engine_of->broken_law(), "") << "cycle " << cycle;
        ASSERT_LT(cycle, 1'000'000U);
      }
      EXPECT_EQ(engine_of->in_flight(), 0U);
      EXPECT_EQ(engine_of->recorder.to_groups(), packets);
      EXPECT_EQ(engine_of->recorder.copies(), copies);
      if (buffer == 2 && parts > 1) {
        EXPECT_EQ(engine_of->recorder.last_arrival(), last);
      }
      last = engine_of->recorder.last_arrival();
    }
  }
}

TEST(SimulatedMulticast, WhatIsProvenDoesNotStop) {
  for (const auto& [spec, engine] :
       std::vector<std::pair<std::string, std::string>>{{"torus:4x4", "dfsssp"},
                                                        {"torus:4x3,p=2", "unknot:effort=0"},
                                                        {"dragonfly:a=4,h=2,p=2", "lash"},
                                                        {"kary-ntree:k=3,n=2", "dfsssp"}}) {
    SCOPED_TRACE(spec);
    const Fabric made = fabric(spec, engine, 4);
    Progress quiet;
    ASSERT_TRUE(verify(made.network, made.routing, {}, quiet).deadlock_free);
    const RoutePlan plan = planned(made, 0.3);
    const SteadyReport run = run_steady(plan, whole_packets(plan.lanes_needed, 1),
                                        make_pattern(made.network, "uniform"), 1, quiet);
    EXPECT_TRUE(run.deadlock.empty());
    EXPECT_GT(run.accepted, 0);
    EXPECT_GT(run.copies, run.to_groups);
  }
}

/// Trees as the dice have them: a run that stops names packets that wait for each other, and no proof held.
TEST(SimulatedMulticast, WhatStopsIsNotProven) {
  std::mt19937 random(5);
  Progress quiet;
  std::map<bool, int> stopped;
  for (const char* spec : {"torus:4x4", "random:switches=10,links=16,terminals=10,seed=4"}) {
    Fabric made = fabric(spec, "dfsssp", 4);
    const Network& network = made.network;
    for (int round = 0; round < 12; ++round) {
      std::vector<MulticastPort> ports = random_tree(network, random);
      for (const TerminalId t : network.terminals())
        ports.push_back({network.router_of(t), network.terminal_port(t)});
      made.routing.multicast = std::make_shared<const MulticastTables>(MulticastTables{
          {MulticastGroup(0xC000, static_cast<std::uint8_t>(random() % 2), network.router_count(), ports)}});
      const bool free = verify(network, made.routing, {}, quiet).deadlock_free;
      const RoutePlan plan = planned(made, 0.5);
      const SteadyReport run =
          run_steady(plan, whole_packets(plan.lanes_needed, 1), make_pattern(network, "uniform"), 1, quiet);
      ++stopped[!run.deadlock.empty()];
      if (run.deadlock.empty()) continue;
      EXPECT_FALSE(free);
      EXPECT_THAT(describe(run.deadlock, plan), testing::HasSubstr(" to group 0xc000 waits for "));
    }
  }
  EXPECT_GT(stopped[true], 5);
}

TEST(SimulatedMulticast, TreesThatCannotKeepUpAreSaturated) {
  Progress quiet;
  const Fabric made = fabric("torus:4x4,p=2", "dfsssp", 8);
  const TrafficPattern uniform = make_pattern(made.network, "uniform");
  const Settings settings = whole_packets(made.routing.virtual_lanes, 8);
  // A copy for each member: sixteen terminals' packets at a tenth of the load are more than a terminal takes.
  for (const double share : {1.0, 0.5}) {
    const SteadyReport much = run_steady(planned(made, share), settings, uniform, 0.4, quiet);
    EXPECT_TRUE(much.saturated) << share;
    EXPECT_FALSE(much.steady) << share;
    const SteadyReport little = run_steady(planned(made, share), settings, uniform, 0.01, quiet);
    EXPECT_FALSE(little.saturated) << share;
    EXPECT_FALSE(little.undelivered) << share;
  }
}

TEST(SimulatedMulticast, WhatCannotBeIsRefused) {
  const Fabric made = fabric("mesh:2x2", "updn", 2);
  const RoutePlan plan = planned(made, 0.5);
  Progress quiet;
  Settings settings = whole_packets(plan.lanes_needed, 2);
  settings.router = RouterKind::input_queued;
  EXPECT_THROW(run_steady(plan, settings, make_pattern(made.network, "uniform"), 1, quiet), InputError);
  const auto refused = [&](std::vector<MulticastPort> ports) {
    try {
      (void)plan_groups(made.network, plan.ports,
                        {{MulticastGroup(0xC000, 0, made.network.router_count(), std::move(ports))}}, 1);
    } catch (const InputError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const auto port_to = [&](std::uint32_t from, std::uint32_t to) {
    for (const ChannelId c : made.network.out(RouterId(from))) {
      if (made.network.target(c) == RouterId(to))
        return MulticastPort{RouterId(from), made.network.source_port(c)};
    }
    ADD_FAILURE();
    return MulticastPort{};
  };
  EXPECT_THAT(refused({port_to(0, 1), {RouterId(0), 5}}), testing::HasSubstr("does not lead back: no tree"));
  EXPECT_THAT(refused({port_to(0, 1), port_to(1, 0)}), testing::HasSubstr("sends them nowhere"));
  std::vector<MulticastPort> circle;
  for (const auto& [a, b] :
       std::vector<std::pair<std::uint32_t, std::uint32_t>>{{0, 1}, {1, 3}, {3, 2}, {2, 0}}) {
    circle.push_back(port_to(a, b));
    circle.push_back(port_to(b, a));
  }
  EXPECT_THAT(refused(circle), testing::HasSubstr(": no tree"));
}

}  // namespace
}  // namespace unknot::simulate
