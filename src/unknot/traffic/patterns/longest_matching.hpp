// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/support/progress.hpp"
#include "unknot/traffic/patterns/pattern.hpp"

namespace unknot {

/// The permutation of terminals whose shortest paths take the most channels in all, by routers, and
/// potentials that prove that none takes more: whatever is sent from router a to router b takes at most
/// sender[a] + receiver[b] channels, so no permutation takes more than the sum of terminals(r) * (sender[r] +
/// receiver[r]); the one found takes as many.
struct LongestMatching {
  /// So many terminals of `source` send to as many of `destination`. Never inside a router: its terminals are
  /// idle instead.
  struct Part {
    RouterId source, destination;
    std::uint32_t terminals = 0;
    bool operator==(const Part&) const = default;
  };
  std::vector<Part> parts;              ///< by source, then destination; each pair once
  std::vector<std::uint32_t> sender;    ///< by router; 0 where it has no terminals
  std::vector<std::uint32_t> receiver;  ///< by router; 0 where it has no terminals
};

/// Pairs of routers that no path joins count as distance 0: nothing is sent between them. By
/// small_transport(), exactly. Deterministic. O(routers with terminals * channels) for the distances, on
/// `threads` threads. Memory: a byte for each ordered pair of routers with terminals, two where a distance
/// exceeds 63. InputError beyond kMostMatchingBytes, or where a distance exceeds 16,383.
LongestMatching longest_matching(const Network& network, std::uint32_t threads, Progress& progress);
/// 46,000 routers, or 32,000 where there are long distances.
inline constexpr std::uint64_t kMostMatchingBytes = std::uint64_t{1} << 31;

/// The flows of the matching: the terminals of a router in order, to the next free ones of its destinations.
TrafficPattern longest_matching_pattern(const Network& network, Progress& progress);

}  // namespace unknot
