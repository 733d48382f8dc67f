// SPDX-License-Identifier: Apache-2.0
#include <gtest/gtest.h>

#include <memory>
#include <vector>

#include "unknot/simulate/plan/two_orders.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/tables/further_addresses.hpp"
#include "unknot/topology/catalogue.hpp"
#include "unknot/traffic/catalogue.hpp"

namespace unknot::simulate {
namespace {

SteadyReport orders(const char* spec, AddressChoice choice, const TrafficPattern& pattern, double load,
                    std::uint64_t seed = 1, bool whole = false) {
  const Network network = make_network(spec);
  const OnEveryAddress all = on_every_address(network, two_orders(network));
  RoutePlan plan = plan_routing(all.network, all.routing, false);
  plan.hosts = std::make_shared<const Network>(network);
  plan.address = choice;
  Settings settings;
  settings.seed = seed;
  settings.warmup = 1000;
  settings.measure = 4000;
  if (whole) settings.router = RouterKind::input_output_queued;
  Progress quiet;
  return run_steady(plan, for_lanes(settings, plan.lanes_needed), pattern, load, quiet);
}

SteadyReport named(AddressChoice choice, const char* traffic, double load, bool whole = false) {
  const char* const spec = "mesh:6x6";
  return orders(spec, choice, make_pattern(make_network(spec), traffic), load, 1, whole);
}

/// Both orders of transpose meet on the diagonal; who sees the queues keeps them level.
TEST(AdaptiveOrders, AreNoWorseThanByChanceOnTranspose) {
  for (const bool whole : {false, true}) {
    for (const double load : {0.3, 0.4}) {
      const SteadyReport chance = named(AddressChoice::random, "transpose", load, whole);
      const SteadyReport queues = named(AddressChoice::queues, "transpose", load, whole);
      EXPECT_LT(queues.latency_mean, chance.latency_mean) << load;
      EXPECT_FALSE(queues.undelivered);
    }
    EXPECT_GE(named(AddressChoice::queues, "transpose", 1, whole).accepted,
              named(AddressChoice::random, "transpose", 1, whole).accepted);
  }
}

/// Along one dimension both orders are one path: nothing is chosen, and nothing drawn for it.
TEST(AdaptiveOrders, AreTheSameRunWhereThereIsOneWay) {
  for (const double load : {0.1, 0.5, 0.9}) {
    const TrafficPattern pattern = make_pattern(make_network("mesh:8"), "uniform");
    const SteadyReport chance = orders("mesh:8", AddressChoice::random, pattern, load);
    const SteadyReport queues = orders("mesh:8", AddressChoice::queues, pattern, load);
    EXPECT_EQ(chance.latency_mean, queues.latency_mean);
    EXPECT_EQ(chance.accepted, queues.accepted);
    EXPECT_EQ(chance.flit_hops, queues.flit_hops);
  }
}

/// Two packets from one corner to the other: the second one takes the order that the first one has not.
TEST(AdaptiveOrders, ASecondPacketTakesTheOtherWay) {
  const Network network = make_network("mesh:2x2,p=2");
  const OnEveryAddress all = on_every_address(network, two_orders(network));
  RoutePlan plan = plan_routing(all.network, all.routing, false);
  plan.hosts = std::make_shared<const Network>(network);
  plan.address = AddressChoice::queues;
  for (const std::uint32_t order : {0U, 1U}) {
    // Terminals 0 and 1 are at one corner, 6 and 7 at the other; each has an address for each order.
    std::vector<ListedPacket> packets = {{10, 0, 2 * 6 + order, 4}, {13, 2, 2 * 7 + order, 4}};
    Settings settings;
    settings.packet_flits = 4;
    Progress quiet;
    const RunReport report = run_packets(plan, for_lanes(settings, 2), packets, nullptr, quiet);
    ASSERT_EQ(report.packets, 2U);
    std::size_t used = 0;
    for (const ChannelId c : network.out(RouterId(0))) used += report.utilisation[c.value] > 0 ? 1 : 0;
    EXPECT_EQ(used, 2U) << order;
  }
}

}  // namespace
}  // namespace unknot::simulate
