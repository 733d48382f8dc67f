// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>

#include "unknot/collective/bandwidth/bandwidth_problem.hpp"
#include "unknot/collective/model/catalogue.hpp"
#include "unknot/network/builder.hpp"
#include "unknot/support/random.hpp"

namespace unknot::testing {

/// Which capacities the links of a sample state.
enum class SampleCapacities : std::uint8_t { none, same_both_ways, each_its_own };

/// Members are routers with a terminal, switches those without: members first.
struct SampleShape {
  std::uint32_t members = 2, switches = 0;
  std::uint32_t links = 0;  ///< beyond those that join all
  bool one_way = false;     ///< channels in place of cables
  SampleCapacities capacities = SampleCapacities::none;
};

/// Random, connected (strongly, where one-way), some links of several parallel cables.
inline Network sample_network(const SampleShape& shape, Random& random) {
  NetworkBuilder builder;
  const std::uint32_t routers = shape.members + shape.switches;
  builder.add_routers(routers);
  for (std::uint32_t r = 0; r < shape.members; ++r) builder.add_terminal(RouterId(r));
  const auto join = [&](std::uint32_t a, std::uint32_t b) {
    const std::uint32_t times = 1 + (random.below(3) == 0 ? random.below(4) : 0);
    for (std::uint32_t i = 0; i < times; ++i) {
      if (shape.one_way) {
        builder.add_channel(RouterId(a), RouterId(b));
      } else {
        builder.add_cable(RouterId(a), RouterId(b));
      }
      if (shape.capacities == SampleCapacities::none || random.below(8) == 0) continue;
      const std::uint32_t there = 250 * (1 + random.below(60));
      const bool same = shape.capacities == SampleCapacities::same_both_ways;
      builder.set_capacity(there, shape.one_way ? 0 : same ? there : 250 * (1 + random.below(60)));
    }
  };
  for (std::uint32_t r = 0; r < routers; ++r) {
    if (shape.one_way) {
      join(r, (r + 1) % routers);
    } else if (r > 0) {
      join(random.below(r), r);
    }
  }
  for (std::uint32_t i = 0; i < shape.links; ++i) {
    const std::uint32_t a = random.below(routers), b = random.below(routers);
    if (a != b) join(a, b);
  }
  return std::move(builder).build();
}

inline SampleShape sample_shape(Random& random, bool one_way) {
  const std::uint32_t members = 2 + random.below(6);
  return {members, random.below(4), random.below(12), one_way};
}

inline std::shared_ptr<const NodeGraph> routers_graph(const Network& network) {
  const NodeGraphOptions options{NodeModel::routers, LinkClass::full_duplex, 1, CapacityUnit::automatic};
  return std::make_shared<const NodeGraph>(network, options);
}

inline BandwidthProblem bandwidth_problem(const Network& network, const char* collective) {
  return make_bandwidth_problem(routers_graph(network), collective);
}

}  // namespace unknot::testing
