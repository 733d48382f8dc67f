// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// A route of its own for each ordered pair of terminals: the channels its packets take, which the source
/// writes into them (Angara, Myrinet, most networks on chip). An empty route means none, except between
/// terminals of one router, which need no channel.
///
/// Memory: 4 bytes a pair and 4 a hop.
class SourceRoutes {
 public:
  SourceRoutes() = default;
  /// Routes of the given lengths, source-major, without channels yet: fill them by route(). `lengths` has
  /// terminals * terminals entries. A source's routes may have 2^32 - 1 channels together.
  SourceRoutes(std::uint32_t terminals, std::span<const std::uint16_t> lengths);

  [[nodiscard]] std::uint32_t terminal_count() const { return terminals_; }
  [[nodiscard]] std::span<const ChannelId> route(TerminalId source, TerminalId destination) const {
    const std::size_t at = place(source, destination);
    const ChannelId* const row = channels_.data() + row_[source.value];
    return {row + first_[at], row + first_[at + 1]};
  }
  [[nodiscard]] std::span<ChannelId> route(TerminalId source, TerminalId destination) {
    const std::size_t at = place(source, destination);
    ChannelId* const row = channels_.data() + row_[source.value];
    return {row + first_[at], row + first_[at + 1]};
  }
  bool operator==(const SourceRoutes&) const = default;

 private:
  [[nodiscard]] std::size_t place(TerminalId source, TerminalId destination) const {
    return static_cast<std::size_t>(source.value) * (std::size_t{terminals_} + 1) + destination.value;
  }
  std::uint32_t terminals_ = 0;
  std::vector<std::size_t> row_;  // by source: its first channel
  std::vector<std::uint32_t>
      first_;  // by source, then destination, one more at the end: first channel in the row
  std::vector<ChannelId> channels_;
};

/// True when the route leads from the source's router to the destination's without a gap.
bool delivers(const Network& network, const SourceRoutes& routes, TerminalId source, TerminalId destination);

}  // namespace unknot
