// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <algorithm>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/support/bulk_vector.hpp"

namespace unknot {

/// The service level of each path: one byte for each source and destination terminal. Engines give one row
/// for each router that has terminals (its terminals share it); tables made by others may differ from
/// terminal to terminal. Empty: every path has level 0. Path sets of one terminal to itself have no meaning
/// and hold 0.
class ServiceLevels {
 public:
  enum class Rows : std::uint8_t {
    none,         ///< all 0
    by_router,    ///< one row for each router with terminals, in router order
    by_terminal,  ///< one row for each terminal
    grouped,      ///< one row for terminals of a router that follow each other, as the constructor was told
  };
  static constexpr std::uint8_t kMissing = 0xFF;  ///< a pair that a file did not name

  ServiceLevels() = default;
  /// All levels `initial`.
  ServiceLevels(const Network& network, Rows rows, std::uint8_t initial = 0);
  /// With room for all levels, none of which has a value: for those who write every one.
  static ServiceLevels unfilled(const Network& network, Rows rows);
  /// A row begins at each terminal that is marked, and at the first of each router.
  ServiceLevels(const Network& network, const std::vector<bool>& begins, std::uint8_t initial);

  [[nodiscard]] Rows rows() const { return kind_; }
  [[nodiscard]] bool empty() const { return kind_ == Rows::none; }
  /// The terminals of a router send alike.
  [[nodiscard]] bool shared_by_router() const { return kind_ == Rows::none || kind_ == Rows::by_router; }
  /// False where the terminal before it, of the same router, has the same row and so has spoken for both.
  [[nodiscard]] bool begins_row(const Network& network, TerminalId t) const {
    return t == network.terminals_at(network.router_of(t))[0] ||
           (!empty() && row_of(t) != row_of(TerminalId(t.value - 1)));
  }
  /// Row that holds the source terminal's levels; not for Rows::none.
  [[nodiscard]] std::uint32_t row_of(TerminalId source) const { return row_of_terminal_[source.value]; }
  [[nodiscard]] std::uint32_t row_count() const { return row_count_; }
  [[nodiscard]] std::span<const std::uint8_t> row(std::uint32_t index) const {
    assert(index < row_count_);
    return {levels_.data() + static_cast<std::size_t>(index) * terminals_, terminals_};
  }
  [[nodiscard]] std::span<std::uint8_t> row(std::uint32_t index) {
    assert(index < row_count_);
    return {levels_.data() + static_cast<std::size_t>(index) * terminals_, terminals_};
  }
  [[nodiscard]] std::uint8_t get(TerminalId source, TerminalId destination) const {
    return empty() ? std::uint8_t{0} : row(row_of(source))[destination.value];
  }
  /// Every path has level 0. O(entries).
  [[nodiscard]] bool all_zero() const {
    return std::all_of(levels_.begin(), levels_.end(), [](std::uint8_t level) { return level == 0; });
  }
  /// Highest level in use, 0 when empty. O(entries).
  [[nodiscard]] std::uint8_t highest() const;
  /// The same levels with one row a router where no two terminals of a router differ; itself otherwise.
  [[nodiscard]] ServiceLevels compacted(const Network& network) const;

  bool operator==(const ServiceLevels&) const = default;

 private:
  Rows kind_ = Rows::none;
  std::uint32_t terminals_ = 0;
  std::uint32_t row_count_ = 0;
  std::vector<std::uint32_t> row_of_terminal_;
  BulkVector<std::uint8_t> levels_;
};

}  // namespace unknot
