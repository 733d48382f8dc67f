// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/support/ids.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// A few columns of a forwarding table, destination by destination: engines build a tree at a time, while the
/// table is kept a router at a time. Moving columns in blocks touches each cache line of the table once.
template <class Entry>
class TableBlock {
 public:
  static constexpr std::uint32_t kColumns = 64;

  explicit TableBlock(std::uint32_t routers) : routers_(routers), entries_(std::size_t{kColumns} * routers) {}

  /// Entries of one destination of the block, by router.
  [[nodiscard]] Entry* column(std::uint32_t index) { return entries_.data() + std::size_t{index} * routers_; }
  [[nodiscard]] const Entry* column(std::uint32_t index) const {
    return entries_.data() + std::size_t{index} * routers_;
  }

  /// Copies destinations [begin, end) of the table in; end - begin <= kColumns.
  void load(const ForwardingTable& table, std::uint32_t begin, std::uint32_t end) {
    const Entry* from = table.entries<Entry>().data();
    for (std::uint32_t r = 0; r < routers_; ++r) {
      const Entry* row = from + std::size_t{r} * table.terminal_count();
      for (std::uint32_t d = begin; d < end; ++d) column(d - begin)[r] = row[d];
    }
  }

  /// The same for any destinations, kColumns at most.
  void load(const ForwardingTable& table, std::span<const TerminalId> destinations) {
    const Entry* from = table.entries<Entry>().data();
    for (std::uint32_t r = 0; r < routers_; ++r) {
      const Entry* row = from + std::size_t{r} * table.terminal_count();
      for (std::uint32_t i = 0; i < destinations.size(); ++i) column(i)[r] = row[destinations[i].value];
    }
  }

  /// Copies the block's columns to destinations [begin, end) of the table.
  void store(ForwardingTable& table, std::uint32_t begin, std::uint32_t end) const {
    Entry* to = table.entries<Entry>().data();
    for (std::uint32_t r = 0; r < routers_; ++r) {
      Entry* row = to + std::size_t{r} * table.terminal_count();
      for (std::uint32_t d = begin; d < end; ++d) row[d] = column(d - begin)[r];
    }
  }

  /// The same for any destinations, each in the column of its place among them.
  void store(ForwardingTable& table, std::span<const TerminalId> destinations) const {
    Entry* to = table.entries<Entry>().data();
    for (std::uint32_t r = 0; r < routers_; ++r) {
      Entry* row = to + std::size_t{r} * table.terminal_count();
      for (std::uint32_t i = 0; i < destinations.size(); ++i) row[destinations[i].value] = column(i)[r];
    }
  }

  /// Makes the first `columns` columns empty.
  void clear(std::uint32_t columns) {
    std::fill_n(entries_.begin(), std::size_t{columns} * routers_, ForwardingTable::none<Entry>);
  }

 private:
  std::uint32_t routers_;
  std::vector<Entry> entries_;
};

}  // namespace unknot
