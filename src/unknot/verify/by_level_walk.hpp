// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/deadlock/dependency_slots.hpp"
#include "unknot/deadlock/mark_set.hpp"
#include "unknot/verify/walk_common.hpp"

namespace unknot {

/// Follows tables where the lane of a path is a function of its service level alone. All packets for one
/// destination then form a tree, and what matters of the packets that pass a router is the set of their lanes:
/// one bit each in a Mask (std::uint8_t or std::uint64_t). The sets are pushed from the leaves to the
/// destination.
template <class Mask>
class ByLevelWalk {
 public:
  ByLevelWalk(const Network& network, const Routing& routing, const LaneOfLevel& lane_of_level,
              const DependencySlots& slots, MarkSet<Mask>& marks);

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
  bool straight(const DestinationPiece& piece, std::size_t index, Scratch& scratch) const;
  void crooked(const DestinationPiece& piece, std::size_t index, std::uint32_t max_findings,
               Scratch& scratch) const;
  void push(std::uint32_t router, const std::uint16_t* entries, Mask* masks, std::uint32_t stride) const;
  bool lane_trouble(Finding& finding) const;

  const Network* network_;
  const Routing* routing_;
  const LaneOfLevel* lane_of_level_;
  const DependencySlots* slots_;
  MarkSet<Mask>* marks_;
  std::vector<Hop> hops_;              // by channel
  std::vector<std::uint32_t> degree_;  // by router
  std::array<Mask, 256> bit_{};        // by service level; 0 where there is no usable lane
};

extern template class ByLevelWalk<std::uint8_t>;
extern template class ByLevelWalk<std::uint64_t>;

}  // namespace unknot
