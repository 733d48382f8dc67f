// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/tables/forwarding_table.hpp"

namespace unknot {

/// Where the packets for one destination go, whatever the table says: every router has at most one next
/// router, so the graph is a forest of trees and loops with trees attached. Any table is accepted, broken
/// ones too. Scratch space that is used again for the next destination.
class ForwardingTree {
 public:
  enum class Fate : std::uint8_t { delivered, none, stray, loop };

  explicit ForwardingTree(const Network& network);

  /// `entries` as in ColumnBlock: entries[router * stride]. `table` is asked only where a path ends.
  /// O(routers).
  void build(const ForwardingTable& table, TerminalId destination, const std::uint16_t* entries,
             std::uint32_t stride);

  /// Routers outside loops, each before the one it sends to.
  [[nodiscard]] std::span<const std::uint32_t> order() const { return order_; }
  /// Routers on loops, loop by loop, each followed by the one it sends to (the last of a loop by its first).
  [[nodiscard]] std::span<const std::uint32_t> loops() const { return loops_; }
  /// End of each loop in loops().
  [[nodiscard]] std::span<const std::uint32_t> loop_ends() const { return loop_ends_; }
  /// What becomes of a packet at this router.
  [[nodiscard]] Fate fate(std::uint32_t router) const { return fate_[router]; }
  /// Channels a delivered packet takes from this router; meaningless for other fates.
  [[nodiscard]] std::uint32_t hops(std::uint32_t router) const { return hops_[router]; }
  /// Channel it leaves by; invalid where the path ends.
  [[nodiscard]] ChannelId channel(std::uint32_t router) const { return channel_[router]; }

 private:
  const Network* network_;
  std::vector<ChannelId> channel_;
  std::vector<std::uint32_t> waiting_;  // senders not yet in order_
  std::vector<std::uint32_t> hops_;
  std::vector<Fate> fate_;
  std::vector<std::uint32_t> order_, loops_, loop_ends_;
};

}  // namespace unknot
