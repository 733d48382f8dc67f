// SPDX-License-Identifier: Apache-2.0
#include "fabrics.hpp"

#include <map>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/network/distances_to.hpp"
#include "unknot/support/random.hpp"

namespace unknot::bench {
namespace {

void spread_terminals(NetworkBuilder& builder, std::uint32_t routers, std::uint32_t terminals) {
  for (std::uint32_t r = 0; r < routers; ++r) {
    const std::uint32_t here = terminals / routers + (r < terminals % routers ? 1 : 0);
    for (std::uint32_t i = 0; i < here; ++i) builder.add_terminal(RouterId(r));
  }
}

}  // namespace

Network two_level_tree(std::uint32_t m, std::uint32_t w, std::uint32_t terminals) {
  NetworkBuilder builder;
  const RouterId leaf = builder.add_routers(m * m);
  const RouterId middle = builder.add_routers(m * w);
  const RouterId top = builder.add_routers(w * w);
  for (std::uint32_t group = 0; group < m; ++group) {
    for (std::uint32_t up = 0; up < w; ++up) {
      const RouterId mid(middle.value + group * w + up);
      for (std::uint32_t i = 0; i < m; ++i) builder.add_cable(RouterId(leaf.value + group * m + i), mid);
      for (std::uint32_t i = 0; i < w; ++i) builder.add_cable(mid, RouterId(top.value + up * w + i));
    }
  }
  spread_terminals(builder, m * m, terminals);
  return std::move(builder).build();
}

Network kautz3(std::uint32_t b, std::uint32_t terminals) {
  std::map<std::vector<std::uint32_t>, std::uint32_t> words;
  for (std::uint32_t x = 0; x <= b; ++x) {
    for (std::uint32_t y = 0; y <= b; ++y) {
      for (std::uint32_t z = 0; z <= b; ++z) {
        if (x != y && y != z) words.emplace(std::vector{x, y, z}, static_cast<std::uint32_t>(words.size()));
      }
    }
  }
  NetworkBuilder builder;
  builder.add_routers(static_cast<std::uint32_t>(words.size()));
  for (const auto& [word, number] : words) {
    for (std::uint32_t z = 0; z <= b; ++z) {
      if (z != word[2]) builder.add_cable(RouterId(number), RouterId(words.at({word[1], word[2], z})));
    }
  }
  spread_terminals(builder, static_cast<std::uint32_t>(words.size()), terminals);
  return std::move(builder).build();
}

Network torus3(std::uint32_t side) {
  NetworkBuilder builder;
  builder.add_routers(side * side * side);
  for (std::uint32_t r = 0; r < side * side * side; ++r) {
    std::uint32_t stride = 1;
    for (int dimension = 0; dimension < 3; ++dimension, stride *= side) {
      const std::uint32_t at = r / stride % side;
      builder.add_cable(RouterId(r), RouterId(r - at * stride + (at + 1) % side * stride));
    }
  }
  spread_terminals(builder, side * side * side, side * side * side);
  return std::move(builder).build();
}

Network random_fabric(std::uint32_t routers, std::uint32_t cables, std::uint32_t terminals,
                      std::uint64_t seed) {
  NetworkBuilder builder;
  Random random(seed);
  builder.add_routers(routers);
  for (std::uint32_t r = 1; r < routers; ++r) builder.add_cable(RouterId(r), RouterId(random.below(r)));
  for (std::uint32_t i = routers - 1; i < cables; ++i) {
    const std::uint32_t a = random.below(routers);
    builder.add_cable(RouterId(a), RouterId((a + 1 + random.below(routers - 1)) % routers));
  }
  spread_terminals(builder, routers, terminals);
  return std::move(builder).build();
}

Routing spread_paths(const Network& network, std::uint32_t lanes) {
  Routing routing;
  routing.engine = "spread";
  routing.paths = ForwardingTable(network);
  routing.virtual_lanes = routing.lanes_needed = lanes;
  const InNeighbours neighbours(network);
  DistancesTo distances(neighbours);
  std::vector<std::uint32_t> candidates;
  for (const RouterId home : network.routers()) {
    if (network.terminals_at(home).empty()) continue;
    distances.run(home);
    for (const RouterId r : network.routers()) {
      if (r == home) continue;
      candidates.clear();
      const IdRange<ChannelId> out = network.out(r);
      for (std::uint32_t i = 0; i < out.size(); ++i) {
        if (distances.distance()[network.target(out[i]).value] + 1 == distances.distance()[r.value])
          candidates.push_back(i);
      }
      for (const TerminalId t : network.terminals_at(home))
        routing.table().set(r, t, candidates[(t.value + r.value) % candidates.size()]);
    }
  }
  if (lanes > 1) {
    Random random(lanes);
    routing.service_levels = ServiceLevels(network, ServiceLevels::Rows::by_router);
    for (std::uint32_t row = 0; row < routing.service_levels.row_count(); ++row) {
      for (std::uint8_t& level : routing.service_levels.row(row))
        level = static_cast<std::uint8_t>(random.below(lanes));
    }
  }
  return routing;
}

}  // namespace unknot::bench
