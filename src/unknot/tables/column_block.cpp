// SPDX-License-Identifier: Apache-2.0
#include "unknot/tables/column_block.hpp"

#include <algorithm>

namespace unknot {

DestinationGroups::DestinationGroups(const Network& network, std::uint32_t columns) {
  std::uint32_t in_group = 0;
  const auto close = [&] {
    if (in_group > 0) first_.push_back(static_cast<std::uint32_t>(pieces_.size()));
    in_group = 0;
  };
  for (const RouterId r : network.routers()) {
    const IdRange<TerminalId> here = network.terminals_at(r);
    for (std::uint32_t first = here.first(); first < here.last(); first += columns) {
      const std::uint32_t count = std::min(columns, here.last() - first);
      if (in_group + count > columns) close();
      pieces_.push_back({r, first, count});
      in_group += count;
    }
  }
  close();
}

ColumnBlock::ColumnBlock(const Network& network) : network_(&network) {}

void ColumnBlock::load(const ForwardingTable& table, std::span<const DestinationPiece> pieces) {
  offset_.assign(1, 0);
  for (const DestinationPiece& piece : pieces)
    offset_.push_back(offset_.back() + static_cast<std::size_t>(piece.count) * network_->router_count());
  if (entries_.size() < offset_.back()) entries_.resize(offset_.back());
  table.with_entry_type([&]<class Entry>(Entry) { copy<Entry>(table, pieces); });
}

template <class Entry>
void ColumnBlock::copy(const ForwardingTable& table, std::span<const DestinationPiece> pieces) {
  // The pieces of a group follow each other, so that a router's entries for all of them are one stretch.
  const std::uint32_t first = pieces.front().first;
  const std::uint32_t columns = pieces.back().first + pieces.back().count - first;
  row_.resize(columns);
  std::uint16_t* row = row_.data();
  const Entry* from = table.entries<Entry>().data() + first;
  for (const RouterId r : network_->routers()) {
    // Marks are the largest values of an entry, so that the minimum turns them into the out-degree.
    const auto degree = static_cast<Entry>(network_->out(r).size());
    for (std::uint32_t j = 0; j < columns; ++j) row[j] = std::min(from[j], degree);
    const std::uint16_t* piece_row = row;
    for (std::size_t k = 0; k < pieces.size(); ++k) {
      const std::uint32_t count = pieces[k].count;
      std::uint16_t* to = entries_.data() + offset_[k] + static_cast<std::size_t>(r.value) * count;
      if (count == 1) {
        *to = *piece_row;
      } else {
        std::copy_n(piece_row, count, to);
      }
      piece_row += count;
    }
    from += table.terminal_count();
  }
}

}  // namespace unknot
