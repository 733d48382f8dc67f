// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "unknot/network/live/live_network.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/bulk_vector.hpp"
#include "unknot/tables/routing.hpp"

namespace unknot {

/// Forwarding tables and service levels in blocks by destination, for those who follow trees: a block has the
/// trees towards at most 64 terminals of one router, and for every router, side by side, an entry for each.
///
/// Entries are positions among all channels that leave the router, as in a ForwardingTable of bytes. Levels
/// are those of all terminals of the source router. Memory: 2 bytes for each router and terminal.
class TreeTables {
 public:
  static constexpr std::uint8_t kNone = ForwardingTable::none<std::uint8_t>;
  static constexpr std::uint8_t kHere = ForwardingTable::here<std::uint8_t>;
  static constexpr std::uint32_t kMostPlaces = 64;

  /// A copy. The network must outlive this. InputError where a router has more than 252 channels or the
  /// routing is no table with a level for each pair of routers and terminals (tree_tables_trouble()).
  TreeTables(const Network& network, const Routing& routing);

  [[nodiscard]] const Network& network() const { return *network_; }
  /// Lanes of the routing.
  [[nodiscard]] std::uint32_t lanes() const { return lanes_; }
  [[nodiscard]] std::uint32_t blocks() const { return static_cast<std::uint32_t>(block_.size()); }
  /// The router of the block's terminals.
  [[nodiscard]] RouterId home(std::uint32_t block) const { return block_[block].home; }
  [[nodiscard]] std::uint32_t places(std::uint32_t block) const { return block_[block].places; }
  [[nodiscard]] TerminalId terminal(std::uint32_t block, std::uint32_t place) const {
    return TerminalId(block_[block].first + place);
  }
  [[nodiscard]] std::uint32_t block_of(TerminalId t) const { return block_of_[t.value]; }
  [[nodiscard]] std::uint32_t place_of(TerminalId t) const {
    return t.value - block_[block_of_[t.value]].first;
  }
  /// Router r's entries are at r * places.
  [[nodiscard]] std::uint8_t* entries(std::uint32_t block) { return entries_.data() + block_[block].at; }
  [[nodiscard]] const std::uint8_t* entries(std::uint32_t block) const {
    return entries_.data() + block_[block].at;
  }
  [[nodiscard]] std::uint8_t* levels(std::uint32_t block) { return levels_.data() + block_[block].at; }
  [[nodiscard]] const std::uint8_t* levels(std::uint32_t block) const {
    return levels_.data() + block_[block].at;
  }
  /// Row of ServiceLevels::Rows::by_router that the router's terminals have; kNoRow where it has none.
  [[nodiscard]] std::uint32_t row(RouterId r) const { return row_[r.value]; }
  [[nodiscard]] RouterId router_of_row(std::uint32_t row) const { return router_of_row_[row]; }
  [[nodiscard]] std::uint32_t rows() const { return static_cast<std::uint32_t>(router_of_row_.size()); }
  static constexpr std::uint32_t kNoRow = 0xFFFFFFFFU;

  bool operator==(const TreeTables& other) const {
    return entries_ == other.entries_ && levels_ == other.levels_;
  }

 private:
  struct Block {
    RouterId home;
    std::uint32_t first, places;
    std::size_t at;
  };
  template <class Entry>
  void copy_entries(const Routing& routing);

  const Network* network_;
  std::uint32_t lanes_;
  std::vector<Block> block_;
  std::vector<std::uint32_t> block_of_;  // by terminal
  std::vector<std::uint32_t> row_;       // by router
  std::vector<RouterId> router_of_row_;
  BulkVector<std::uint8_t> entries_, levels_;
};

/// Empty where TreeTables can hold the routing; else a sentence.
std::string tree_tables_trouble(const Network& network, const Routing& routing);

/// What the tables are on with_faults() of what lives, with `lanes` lanes. O(entries).
Routing routing_of_living(const LiveNetwork& network, const TreeTables& tables, std::uint32_t lanes);

}  // namespace unknot
