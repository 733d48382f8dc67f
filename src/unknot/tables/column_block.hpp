// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// Some consecutive terminals of one router, as destinations.
struct DestinationPiece {
  RouterId router;
  std::uint32_t first = 0;  ///< first terminal
  std::uint32_t count = 0;
};

/// All destination terminals, cut into groups that are worked on together: consecutive pieces of about
/// `columns` terminals in all. A piece never spans routers, so that all its terminals share the distances.
class DestinationGroups {
 public:
  explicit DestinationGroups(const Network& network, std::uint32_t columns = 64);
  [[nodiscard]] std::uint32_t count() const { return static_cast<std::uint32_t>(first_.size() - 1); }
  [[nodiscard]] std::span<const DestinationPiece> group(std::uint32_t index) const {
    return {pieces_.data() + first_[index], pieces_.data() + first_[index + 1]};
  }

 private:
  std::vector<DestinationPiece> pieces_;
  std::vector<std::uint32_t> first_{0};
};

/// The forwarding entries of one group of destinations, copied out of the router-major table so that the work
/// on one destination touches near-by memory only. Entries of piece k lie at offset(k) + router * count + j
/// for its j-th terminal: the position of the channel among the router's outgoing ones, or the router's
/// out-degree where the entry names no channel (here, none, stray, or a position the router does not have).
class ColumnBlock {
 public:
  explicit ColumnBlock(const Network& network);
  /// `pieces` is a group of DestinationGroups: terminals that follow each other.
  void load(const ForwardingTable& table, std::span<const DestinationPiece> pieces);
  [[nodiscard]] std::size_t offset(std::size_t piece) const { return offset_[piece]; }
  [[nodiscard]] std::size_t size() const { return offset_.back(); }
  [[nodiscard]] const std::uint16_t* entries(std::size_t piece) const {
    return entries_.data() + offset_[piece];
  }

 private:
  template <class Entry>
  void copy(const ForwardingTable& table, std::span<const DestinationPiece> pieces);
  const Network* network_;
  std::vector<std::size_t> offset_{0};
  std::vector<std::uint16_t> entries_;
  std::vector<std::uint16_t> row_;  // one router's entries for the whole group
};

}  // namespace unknot
