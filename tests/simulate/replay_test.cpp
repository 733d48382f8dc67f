// SPDX-License-Identifier: Apache-2.0
// Packets of BookSim2 runs, sent again: each must arrive in the very cycle in which BookSim2 delivered it.
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <sstream>
#include <tuple>

#include "simulate/booksim_networks.hpp"
#include "unknot/simulate/plan/two_orders.hpp"
#include "unknot/simulate/run.hpp"
#include "unknot/tables/further_addresses.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::simulate {
namespace {

struct Case {
  const char* file;
  std::uint32_t vcs, vc_buffer, packet_flits, speedup;
};

/// xy-yx: a terminal has an address for each order, 2 t and 2 t + 1.
RoutedNetwork two_addresses() {
  Coordinates at;
  at.dimensions = 2;
  at.extent = {8, 8};
  for (std::uint32_t r = 0; r < 64; ++r) at.value.insert(at.value.end(), {r % 8, r / 8});
  const Network network = NetworkBuilder::with_coordinates(grid(8, false).network, std::move(at));
  OnEveryAddress all = on_every_address(network, two_orders(network));
  return {std::move(all.network), std::move(all.routing)};
}

RoutedNetwork network_of(const std::string& file) {
  if (file.starts_with("mesh8x8_xyyx")) return two_addresses();
  if (file.starts_with("mesh8x8")) return grid(8, false);
  if (file.starts_with("slimfly5")) return anynet(make_network("slimfly:q=5,p=3"));
  if (file.starts_with("mlfm4")) return anynet(make_network("mlfm:4"));
  RoutedNetwork torus = grid(5, true);
  add_datelines(torus, 5);
  return torus;
}

class Replay : public ::testing::TestWithParam<Case> {};

TEST_P(Replay, EveryDeliveryCycleIsBookSims) {
  const Case& c = GetParam();
  const RoutedNetwork made = network_of(c.file);
  std::ifstream in(std::string(UNKNOT_TEST_DATA) + "/booksim/" + c.file + ".txt");
  ASSERT_TRUE(in);
  std::vector<ListedPacket> packets;
  std::map<std::tuple<std::uint64_t, std::uint32_t, std::uint32_t>, std::uint64_t> arrived;
  for (std::string line; std::getline(in, line);) {
    if (line.starts_with('#')) continue;
    std::istringstream words(line);
    ListedPacket packet;
    std::uint64_t cycle = 0;
    ASSERT_TRUE(words >> packet.created >> packet.source >> packet.destination >> cycle);
    if (std::uint32_t order = 0; words >> order) {
      packet.source *= 2;
      packet.destination = packet.destination * 2 + order;
    }
    packets.push_back(packet);
    arrived[{packet.created, packet.source, packet.destination}] = cycle;
  }
  ASSERT_GT(packets.size(), 400U);
  Settings settings;
  settings.vcs = c.vcs;
  settings.vc_buffer = c.vc_buffer;
  settings.packet_flits = c.packet_flits;
  settings.speedup = c.speedup;
  const bool any = made.routing.virtual_lanes < 2;
  const RoutePlan plan = plan_routing(made.network, made.routing, any);
  std::vector<Recorder::Delivery> deliveries;
  const Progress silent;
  const RunReport report = run_packets(plan, settings, packets, &deliveries, silent);
  EXPECT_FALSE(report.undelivered);
  ASSERT_EQ(deliveries.size(), packets.size());
  std::size_t different = 0;
  for (const Recorder::Delivery& d : deliveries) {
    const auto theirs = arrived.find({d.created, d.source, d.destination});
    if (theirs == arrived.end() || theirs->second != d.arrived / c.speedup) ++different;
  }
  EXPECT_EQ(different, 0U) << "of " << packets.size();
}

INSTANTIATE_TEST_SUITE_P(BookSim, Replay,
                         ::testing::Values(Case{"mesh8x8", 4, 8, 1, 1}, Case{"torus5x5", 2, 8, 1, 1},
                                           Case{"torus5x5_flits4", 2, 8, 4, 1}, Case{"slimfly5", 4, 8, 1, 1},
                                           Case{"slimfly5_flits4", 4, 8, 4, 1},
                                           Case{"slimfly5_speedup2", 4, 32, 1, 2},
                                           Case{"slimfly5_flits4_speedup2", 4, 32, 4, 2},
                                           Case{"mlfm4_flits4", 4, 8, 4, 1}, Case{"mesh8x8_xyyx", 4, 8, 1, 1},
                                           Case{"mesh8x8_xyyx_flits4", 4, 8, 4, 1}),
                         [](const auto& test) { return std::string(test.param.file); });

}  // namespace
}  // namespace unknot::simulate
