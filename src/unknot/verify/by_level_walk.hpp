// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/deadlock/mark_set.hpp"
#include "unknot/network/dependency_slots.hpp"
#include "unknot/verify/walk_common.hpp"

namespace unknot {

/// Follows tables where the lane of a path is a function of its service level alone. All packets for one
/// destination then form a tree, and what matters of the packets that pass a router is the set of their
/// lanes: one bit each in a mask of Marks, which is one of the three below. The sets are pushed from the
/// leaves to the destination.
template <class Marks>
class ByLevelWalk {
 public:
  using Mask = typename Marks::Mask;

  ByLevelWalk(const Network& network, const Routing& routing, const LaneOfLevel& lane_of_level,
              const DependencySlots& slots, Marks& marks);

  /// Space of one worker.
  struct Scratch {
    Scratch(const Network& network, const InNeighbours& neighbours)
        : columns(network), distances(neighbours), tree(network) {}
    ColumnBlock columns;
    DistancesTo distances;
    ForwardingTree tree;
    std::vector<Mask> masks;            // as columns: lanes of the packets that leave the router
    std::vector<std::uint8_t> trouble;  // by piece: some source has no usable lane
    Tally tally;
  };
  void run(std::span<const DestinationPiece> pieces, std::uint32_t max_findings, Scratch& scratch) const;

 private:
  struct Hop {
    std::uint32_t target;
    std::uint32_t first_slot;  // only where the marks are dense
  };
  void fill_masks(std::span<const DestinationPiece> pieces, Scratch& scratch) const;
  void call_row(std::uint32_t router, const std::uint16_t* entries, const Mask* masks,
                std::uint32_t count) const;
  bool push_row(std::uint32_t router, const std::uint16_t* entries, Mask* masks, std::uint32_t count,
                const std::uint32_t* distance) const;
  bool straight(const DestinationPiece& piece, std::size_t index, Scratch& scratch) const;
  void crooked(const DestinationPiece& piece, std::size_t index, std::uint32_t max_findings,
               Scratch& scratch) const;
  void push(std::uint32_t router, const std::uint16_t* entries, Mask* masks, std::uint32_t stride) const;
  [[nodiscard]] bool neighbour_stopped(const DestinationPiece& piece, TerminalId source,
                                       const std::uint8_t* levels) const;
  bool lane_trouble(const ForwardingTree& tree, Finding& finding) const;

  const Network* network_;
  const Routing* routing_;
  LaneFunction lanes_;
  const LaneOfLevel* lane_of_level_;
  const DependencySlots* slots_;
  Marks* marks_;
  std::vector<Hop> hops_;                 // by channel
  std::vector<std::uint32_t> out_first_;  // by router, and one more
  std::vector<std::uint32_t> sources_;    // by router: terminals
  std::array<Mask, 256> bit_{};           // by service level; 0 where there is no usable lane
};

using OneLaneMarks = MarkSet<std::uint8_t, true>;
using EightLaneMarks = MarkSet<std::uint8_t>;
using ManyLaneMarks = MarkSet<std::uint64_t>;
using OneLaneMarks = MarkSet<std::uint8_t, true>;
using EightLaneMarks = MarkSet<std::uint8_t>;
using ManyLaneMarks = MarkSet<std::uint64_t>;
extern template class ByLevelWalk<OneLaneMarks>;
extern template class ByLevelWalk<EightLaneMarks>;
extern template class ByLevelWalk<ManyLaneMarks>;

}  // namespace unknot
