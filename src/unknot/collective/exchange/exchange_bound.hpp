// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/collective/bandwidth/fraction.hpp"
#include "unknot/collective/model/problem.hpp"

namespace unknot {

/// What lengths of arcs prove of an exchange, messages that each have a receiver of their own: whatever the
/// paths, each message takes up as much capacity times length as its ends are apart, of all that there is in
/// a unit of time. (The dual of the maximum concurrent flow.)
struct ExchangeBound {
  std::vector<std::uint32_t> length;  ///< by arc
  std::uint64_t distances = 0;        ///< of all messages, in these lengths
  std::uint64_t capacity = 0;         ///< of all arcs, each times its length

  /// Messages over capacity: no schedule takes less.
  [[nodiscard]] Fraction time() const { return {distances, capacity}; }
};

/// Distances are measured anew, in whole numbers. `length` has an entry for each arc, at least one of them
/// above 0 on an arc with capacity. `problem` is a scatter. O(owners * arcs log nodes + messages) on
/// `threads` threads, 0: all there are. InputError for sums beyond 64 bits.
ExchangeBound count_lengths(const Problem& problem, std::vector<std::uint32_t> length,
                            std::uint32_t threads = 0);

}  // namespace unknot
