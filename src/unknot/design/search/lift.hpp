// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "unknot/design/search/group.hpp"
#include "unknot/design/search/reach.hpp"
#include "unknot/network/network.hpp"

namespace unknot {

/// A class of cables of a lift: for each element x of the group one from router `from` of copy x to router
/// `to` of copy x times `turn`. A half class (from = to, turn an involution) has a cable for each two copies
/// and takes one port of each router.
struct LiftCable {
  static constexpr std::uint32_t kFixed = UINT32_MAX;
  std::uint32_t from = 0, to = 0;
  std::uint32_t turn = 0;
  std::uint16_t from_port = 0, to_port = 0;
  std::uint32_t pool = kFixed;  ///< cables of a pool may exchange their ends; none of a fixed one changes
  bool half = false;
};

/// A network that looks the same from all copies of a router (voltage lift, Gross 1974; Cayley graph, where
/// base is 1): base * order routers, number x * base + b for router b of copy x.
struct Lift {
  SearchGroup group;
  std::uint32_t base = 1;
  std::uint32_t ports = 0;  ///< most cables of a router
  std::vector<LiftCable> cables;
  bool either_end = false;  ///< ends of a pool are all alike; else `to` ends go only to `from` ends
  std::shared_ptr<const LiftReach> reach{};  ///< what cables may join, and numbers of routers; none: anything

  [[nodiscard]] std::uint32_t routers() const { return base * group.order(); }
};

/// [router * ports + i]: its neighbours; the router itself where it has fewer. O(routers * ports).
void lift_neighbours(const Lift& lift, std::vector<std::uint32_t>& neighbours);
/// Writes one class of cables there, over what its ports led to. O(order of the group).
void write_cable(const Lift& lift, const LiftCable& cable, std::vector<std::uint32_t>& neighbours);

/// As a network, with `terminals` on each router on the ports after those of cables.
Network lift_network(const Lift& lift, std::uint32_t terminals);

/// Distances from the first copy of each router, which stand for all.
struct LiftDistances {
  std::uint64_t sum = 0;  ///< over base * (routers - 1) pairs; a pair that is not joined counts as `routers`
  std::uint32_t diameter = 0;  ///< of the pairs that are joined
  bool connected = false;
};

/// Breadth-first from all of them at once, a bit each (Then et al. 2014). Keeps its space for the next call.
class LiftDistanceCounter {
 public:
  /// O(routers * ports * diameter * base / 64).
  LiftDistances count(std::uint32_t routers, std::uint32_t ports, std::uint32_t sources,
                      const std::vector<std::uint32_t>& neighbours);

 private:
  std::vector<std::uint64_t> now_, next_;
};

}  // namespace unknot
