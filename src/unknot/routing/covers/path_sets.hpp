// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/dealing/legal_reach.hpp"
#include "unknot/support/bulk_vector.hpp"

namespace unknot {

/// The destinations of one word of PathSets: what building trees towards them wants.
struct DestinationBlock {
  static constexpr std::uint32_t kSize = LegalReach::kWordBits;
  std::uint32_t first = 0;  ///< index of the first of them
  std::uint32_t count = 0;
  std::array<std::vector<std::uint32_t>, kSize> order;       ///< by destination: routers, nearest first
  std::vector<std::array<std::uint32_t, kSize>> up_to = {};  ///< by hops and destination: end in its order
};

/// Sets of ports, a bit for each channel that leaves a router: for every router whole words, all routers side
/// by side.
class PortWords {
 public:
  explicit PortWords(const Network& network);
  [[nodiscard]] std::uint32_t first(std::uint32_t router) const { return first_[router]; }
  [[nodiscard]] std::uint32_t end(std::uint32_t router) const { return first_[router + 1]; }
  /// Of all routers.
  [[nodiscard]] std::uint32_t size() const { return first_.back(); }

  /// Calls visit(position) for the ports of a router in a set of all routers.
  template <class Visit>
  void for_each(const LegalReach::Word* sets, std::uint32_t router, const Visit& visit) const {
    for (std::uint32_t w = first_[router]; w < first_[router + 1]; ++w) {
      for (LegalReach::Word left = sets[w]; left != 0; left &= left - 1) {
        visit((w - first_[router]) * LegalReach::kWordBits +
              static_cast<std::uint32_t>(std::countr_zero(left)));
      }
    }
  }

 private:
  std::vector<std::uint32_t> first_;  // by router; one more
};

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
  /// (source, destination) pairs of terminals that no path joins.
  [[nodiscard]] std::uint64_t missing_pairs() const { return reach_.missing_pairs(); }

  [[nodiscard]] std::uint32_t blocks() const { return reach_.words(); }
  /// O(64 * routers); hardly allocates after the first.
  void load(std::uint32_t block, DestinationBlock& into) const;
  [[nodiscard]] const PortWords& ports() const { return ports_; }
  /// Ports of all routers that lie on a shortest path to a destination of the block: ports().size() words
  /// for each. O(64 * routers + channels).
  void load_ports(std::uint32_t block, Word* sets) const;

 private:
  const Network& network_;
  LegalReach reach_;
  std::uint32_t words_;
  std::vector<std::uint32_t> index_;
  PortWords ports_;
  BulkVector<Word> towards_;  // by channel
};

}  // namespace unknot
