// SPDX-License-Identifier: Apache-2.0
#include "unknot/tables/service_levels.hpp"

#include <algorithm>

namespace unknot {

ServiceLevels ServiceLevels::unfilled(const Network& network, Rows rows) {
  assert(rows != Rows::grouped);  // nothing says where rows begin
  ServiceLevels levels;
  levels.kind_ = rows;
  levels.terminals_ = network.terminal_count();
  if (rows == Rows::none) return levels;
  levels.row_of_terminal_.reserve(levels.terminals_);
  for (const RouterId r : network.routers()) {
    const std::uint32_t here = network.terminals_at(r).size();
    for (std::uint32_t i = 0; i < here; ++i) {
      levels.row_of_terminal_.push_back(rows == Rows::by_terminal ? levels.row_count_ + i
                                                                  : levels.row_count_);
    }
    if (here > 0) levels.row_count_ += rows == Rows::by_terminal ? here : 1;
  }
  levels.levels_.resize(static_cast<std::size_t>(levels.row_count_) * levels.terminals_);
  return levels;
}

ServiceLevels::ServiceLevels(const Network& network, Rows rows, std::uint8_t initial)
    : ServiceLevels(unfilled(network, rows)) {
  std::fill(levels_.begin(), levels_.end(), initial);
}

ServiceLevels::ServiceLevels(const Network& network, const std::vector<bool>& begins, std::uint8_t initial)
    : kind_(Rows::grouped), terminals_(network.terminal_count()) {
  row_of_terminal_.reserve(terminals_);
  for (const TerminalId t : network.terminals()) {
    if (begins[t.value] || t == network.terminals_at(network.router_of(t))[0]) ++row_count_;
    row_of_terminal_.push_back(row_count_ - 1);
  }
  levels_.assign(static_cast<std::size_t>(row_count_) * terminals_, initial);
}

std::uint8_t ServiceLevels::highest() const {
  std::uint8_t highest = 0;
  for (const std::uint8_t level : levels_) {
    if (level != kMissing) highest = std::max(highest, level);
  }
  return highest;
}

ServiceLevels ServiceLevels::compacted(const Network& network) const {
  if (shared_by_router()) return *this;
  ServiceLevels compact(network, Rows::by_router, kMissing);
  for (const TerminalId source : network.terminals()) {
    const auto from = row(row_of(source));
    const auto to = compact.row(compact.row_of(source));
    for (std::uint32_t d = 0; d < terminals_; ++d) {
      if (d == source.value) continue;  // a terminal's level to itself says nothing
      if (to[d] == kMissing) to[d] = from[d];
      if (to[d] != from[d]) return *this;
    }
  }
  // A router with a single terminal never set the entry for that terminal.
  for (const TerminalId t : network.terminals()) {
    std::uint8_t& own = compact.row(compact.row_of(t))[t.value];
    if (own == kMissing && network.terminals_at(network.router_of(t)).size() == 1) own = 0;
  }
  return compact;
}

}  // namespace unknot
