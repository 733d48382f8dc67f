// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/deadlock/mark_set.hpp"
#include "unknot/network/dependency_slots.hpp"
#include "unknot/verify/walk_common.hpp"

namespace unknot {

/// Follows tables with SL-to-VL tables that look at ports. What becomes of a packet after it has left a
/// router depends on its destination, its level and the channel, not on where it came from: so for each
/// router and destination it is enough to know which levels travel on which lanes of the one channel they
/// leave by. Keys of the marks are slot * kMaxPortLanes + lane, masks the lanes of the next hop.
class ByPortWalk {
 public:
  static constexpr std::uint32_t kMaxPortLanes = LaneMap::kDrop;
  using Mask = std::uint16_t;

  ByPortWalk(const Network& network, const Routing& routing, const DependencySlots& slots,
             MarkSet<Mask>& marks);

  /// Lanes, by level, of the packets that leave a router.
  using LanesOfLevels = std::array<Mask, LaneMap::kLevels>;
  /// Space of one worker.
  struct Scratch {
    Scratch(const Network& network, const InNeighbours& neighbours)
        : columns(network), distances(neighbours), tree(network) {}
    ColumnBlock columns;
    DistancesTo distances;
    ForwardingTree tree;
    std::vector<LanesOfLevels> lanes;  // by router
    std::vector<Mask> dropped;         // by router: levels that are dropped somewhere after it
    Tally tally;
  };
  void run(std::span<const DestinationPiece> pieces, std::uint32_t max_findings, Scratch& scratch) const;

 private:
  void start(TerminalId destination, Scratch& scratch) const;
  void push(std::uint32_t router, const ForwardingTree& tree, std::vector<LanesOfLevels>& lanes) const;
  void find_drops(TerminalId destination, Scratch& scratch) const;
  bool lane_trouble(const Scratch& scratch, Finding& finding) const;
  [[nodiscard]] std::uint16_t out_port(const ForwardingTree& tree, TerminalId destination, RouterId at) const;

  const Network* network_;
  const Routing* routing_;
  LaneFunction lanes_;
  const DependencySlots* slots_;
  MarkSet<Mask>* marks_;
};

}  // namespace unknot
