// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/dealing/legal_reach.hpp"
#include "unknot/support/bulk_vector.hpp"

namespace unknot {

/// All shortest paths of a network whose cables go both ways: for each channel the destinations (routers with
/// terminals) towards which it lies on one, a bit each. Rows are whole cache lines.
/// Memory: a bit for each channel and destination.
class PathSets {
 public:
  using Word = LegalReach::Word;
  static constexpr std::uint32_t kWordBits = LegalReach::kWordBits;
  static constexpr std::uint32_t kLine = 8;  ///< words of a cache line
  static constexpr std::uint32_t kNone = 0xFFFFFFFFU;

  /// The network must outlive this. O(channels * words * hops) word operations. `threads` 0: all.
  PathSets(const Network& network, std::uint32_t threads);

  [[nodiscard]] std::span<const RouterId> destinations() const { return reach_.destinations(); }
  /// By router: its index among the destinations, or kNone.
  [[nodiscard]] std::uint32_t index(RouterId r) const { return index_[r.value]; }
  /// Words of a row, a multiple of kLine.
  [[nodiscard]] std::uint32_t words() const { return words_; }
  [[nodiscard]] const Word* towards(std::uint32_t channel) const {
    return towards_.data() + std::size_t{channel} * words_;
  }
  /// One more than the hops of the longest path.
  [[nodiscard]] std::uint32_t levels() const { return reach_.levels(); }
  /// By router: the destinations of a block that are so many hops away, fewer than levels().
  [[nodiscard]] const Word* at(std::uint32_t block, std::uint32_t hops) const {
    return at_.data() + (std::size_t{block} * levels() + hops) * network_.router_count();
  }
  /// The bit of a router among the destinations of a block; 0 where it is none of them.
  [[nodiscard]] Word own_bit(std::uint32_t block, RouterId router) const {
    const std::uint32_t d = index_[router.value];
    return d / kWordBits == block && d != kNone ? Word{1} << d % kWordBits : 0;
  }
  /// (source, destination) pairs of terminals that no path joins.
  [[nodiscard]] std::uint64_t missing_pairs() const { return reach_.missing_pairs(); }

  /// Words of a row in use: 64 destinations each.
  [[nodiscard]] std::uint32_t blocks() const { return reach_.words(); }

 private:
  const Network& network_;
  LegalReach reach_;
  std::uint32_t words_;
  std::vector<std::uint32_t> index_;
  BulkVector<Word> towards_;  // by channel
  BulkVector<Word> at_;       // by block, hops and router
};

}  // namespace unknot
