// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/network/network.hpp"
#include "unknot/routing/orders/cover_dag.hpp"
#include "unknot/routing/orders/lane_orders.hpp"
#include "unknot/routing/trees/path_dag.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::test {

/// A network with what the search for lane orders needs of it.
struct CoverCase {
  explicit CoverCase(Network made) : network(std::move(made)) {
    PathDags paths(network);
    dags = cover_dags(network, paths, &level);
  }
  explicit CoverCase(const std::string& spec) : CoverCase(make_network(spec)) {}
  CoverCase(const CoverCase&) = delete;
  CoverCase& operator=(const CoverCase&) = delete;

  Network network;
  std::vector<std::uint16_t> level;
  std::vector<CoverDag> dags;
};

/// A ring with two parallel cables between neighbours; every third router has no terminals, the others two.
inline Network doubled_ring(std::uint32_t routers) {
  NetworkBuilder builder;
  builder.add_routers(routers);
  for (std::uint32_t r = 0; r < routers; ++r) {
    for (int cable = 0; cable < 2; ++cable) builder.add_cable(RouterId(r), RouterId((r + 1) % routers));
    for (int terminal = 0; r % 3 != 2 && terminal < 2; ++terminal) builder.add_terminal(RouterId(r));
  }
  return std::move(builder).build();
}

/// Small networks of many shapes: parallel cables, routers without terminals, one-way channels.
inline std::vector<Network> small_networks() {
  std::vector<Network> networks;
  for (const char* spec :
       {"ring:5", "torus:4x3,p=2", "kautz:b=2,n=3,terminals=5", "kautz:b=2,n=3,oriented=1", "uniring:5",
        "hypercube:4", "random:switches=30,links=70,terminals=25,seed=3", "dragonfly:a=4,h=2,p=2"}) {
    networks.push_back(make_network(spec));
  }
  networks.push_back(doubled_ring(7).described_as("doubled ring"));
  return networks;
}

/// Lanes that each router's path may take, for one destination: found by following the chosen channels.
inline std::vector<LaneOrders::Mask> path_masks(const Network& network, const CoverDag& dag,
                                                const LaneOrders& orders, const std::uint16_t* entries) {
  const auto channel_out_of = [&](std::uint32_t router) {
    return network.out(RouterId(router))[entries[router]];
  };
  std::vector<LaneOrders::Mask> masks(network.router_count(), 0);
  const auto all = static_cast<LaneOrders::Mask>((1U << orders.lanes()) - 1);
  masks[dag.root] = all;
  for (const std::uint32_t start : dag.order) {
    LaneOrders::Mask mask = all;
    ChannelId channel = channel_out_of(start);
    std::uint32_t hops = 1;
    while (network.target(channel).value != dag.root && hops <= network.router_count()) {
      const ChannelId next = channel_out_of(network.target(channel).value);
      const std::uint32_t first = network.out(network.target(channel)).first();
      mask &= orders.allowed(orders.first_turn(channel.value) + next.value - first);
      channel = next;
      ++hops;
    }
    masks[start] = hops <= network.router_count() ? mask : LaneOrders::Mask{0};
  }
  return masks;
}

}  // namespace unknot::test
