// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace unknot {

/// What is proven of the tables in force, over all ordered pairs of distinct terminals that live: each number
/// that of verify() on with_faults().
struct LiveVerdict {
  std::uint64_t pairs = 0;
  std::uint64_t unroutable_pairs = 0;    ///< no entry, one that leads nowhere, or a loop
  std::uint64_t looping_pairs = 0;       ///< part of these
  std::uint64_t disconnected_pairs = 0;  ///< part of the unroutable: no path joins them, whatever the tables
  std::uint64_t dependencies = 0;        ///< arcs of the channel dependency graph
  bool deadlock_free = true;

  [[nodiscard]] std::uint64_t delivered_pairs() const { return pairs - unroutable_pairs; }
  /// Pairs that a path joins, but the tables do not.
  [[nodiscard]] std::uint64_t lost_pairs() const { return unroutable_pairs - disconnected_pairs; }
  /// Every pair that a path joins is delivered, and no deadlock is possible.
  [[nodiscard]] bool proven() const { return lost_pairs() == 0 && deadlock_free; }
  bool operator==(const LiveVerdict&) const = default;
};

}  // namespace unknot
