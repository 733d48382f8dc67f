// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "unknot/collective/model/catalogue.hpp"
#include "unknot/collective/model/schedule.hpp"
#include "unknot/topology/catalogue.hpp"

namespace unknot::testing {

inline std::shared_ptr<const NodeGraph> graph_of(const std::string& spec,
                                                 const NodeGraphOptions& options = {}) {
  return std::make_shared<const NodeGraph>(make_network(spec), options);
}

inline Problem problem_on(const std::string& spec, const std::string& collective,
                          const Participants& who = {}) {
  return make_collective(graph_of(spec), collective, who);
}

inline std::vector<NodeId> nodes(std::initializer_list<std::uint32_t> numbers) {
  std::vector<NodeId> result;
  for (const std::uint32_t n : numbers) result.emplace_back(n);
  return result;
}

/// AAS on a hypercube in 2^(d-1) steps: in each, every node sends to x and to its complement, bits from low
/// to high for x and on from there for the complement, so that each dimension is used by one of the two.
inline Schedule hypercube_exchange(std::uint32_t dimensions) {
  const std::uint32_t nodes = 1U << dimensions;
  Schedule schedule;
  std::vector<NodeId> path;
  for (std::uint32_t x = 0; x < nodes / 2; ++x) {
    schedule.add_step();
    for (std::uint32_t from = 0; from < nodes; ++from) {
      for (const std::uint32_t mask : {x, nodes - 1 - x}) {
        if (mask == 0) continue;
        path.assign(1, NodeId(from));
        std::uint32_t at = from;
        for (std::uint32_t bit = 0; bit < dimensions; ++bit) {
          if ((mask >> bit & 1) == 0) continue;
          at ^= 1U << bit;
          path.emplace_back(at);
        }
        schedule.add(NodeId(from), path);
      }
    }
  }
  return schedule;
}

/// AAS on a ring of one-way channels: one pair exchanges messages in each step, all around.
inline Schedule one_way_ring_exchange(std::uint32_t nodes) {
  Schedule schedule;
  std::vector<NodeId> path;
  const auto send = [&](std::uint32_t from, std::uint32_t to) {
    path.clear();
    for (std::uint32_t at = from; at != to; at = (at + 1) % nodes) path.emplace_back(at);
    path.emplace_back(to);
    schedule.add(NodeId(from), path);
  };
  for (std::uint32_t a = 0; a < nodes; ++a) {
    for (std::uint32_t b = a + 1; b < nodes; ++b) {
      schedule.add_step();
      send(a, b);
      send(b, a);
    }
  }
  return schedule;
}

/// OAB on a hypercube by recursive doubling: one dimension in each step.
inline Schedule recursive_doubling(std::uint32_t dimensions, std::uint32_t root = 0) {
  Schedule schedule;
  for (std::uint32_t bit = 0; bit < dimensions; ++bit) {
    schedule.add_step();
    for (std::uint32_t x = 0; x < 1U << bit; ++x)
      schedule.add(NodeId(root), std::vector<NodeId>{NodeId(root ^ x), NodeId(root ^ x ^ 1U << bit)});
  }
  return schedule;
}

/// AAB on a ring: messages of all run around both ways, one hop in each step.
inline Schedule ring_gossip(std::uint32_t nodes) {
  Schedule schedule;
  for (std::uint32_t hop = 0; 2 * hop + 1 < nodes; ++hop) {
    schedule.add_step();
    for (std::uint32_t origin = 0; origin < nodes; ++origin) {
      const auto at = [&](std::uint32_t far) { return NodeId((origin + far) % nodes); };
      schedule.add(at(0), std::vector<NodeId>{at(hop), at(hop + 1)});
      if (2 * hop + 2 < nodes) schedule.add(at(0), std::vector<NodeId>{at(nodes - hop), at(nodes - hop - 1)});
    }
  }
  return schedule;
}

}  // namespace unknot::testing
