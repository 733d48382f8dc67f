// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/routing/covers/lane_turns.hpp"
#include "unknot/routing/covers/path_sets.hpp"
#include "unknot/support/bulk_vector.hpp"

namespace unknot {

/// A router with terminals whose path to a destination no lane allows.
struct Unserved {
  std::uint32_t destination;  ///< index
  std::uint32_t router;
};

/// One tree of shortest paths for each destination router.
class SafeTrees {
 public:
  using Word = PathSets::Word;

  /// Nearest routers first, each takes the candidate whose path most lanes allow; of equals the one that
  /// comes later in the order of a lane, before which more channels may come: on a single lane all pairs are
  /// served that can be. O(destinations * routers * candidates). Memory: 2 bytes for each router and
  /// destination, and a bit for each channel and destination.
  SafeTrees(const Network& network, const PathSets& sets, const LaneTurns& turns, std::uint32_t threads);

  /// Position of the channel that the router takes.
  [[nodiscard]] std::uint16_t entry(std::uint32_t destination, std::uint32_t router) const {
    return entries_[at(destination, router)];
  }
  /// In order of blocks of destinations, nearest routers first.
  [[nodiscard]] const std::vector<Unserved>& unserved() const { return unserved_; }
  /// Such a pair takes another channel. Lanes that allow the path must be added before paths are dealt.
  void set_entry(const Unserved& pair, std::uint32_t position);

  /// By channel: the destinations of a block towards which a lane allows the path by it, where the routers
  /// behind take their trees' entries; and those whose tree it belongs to.
  [[nodiscard]] const Word* allowed(std::uint32_t block) const {
    return allowed_.data() + std::size_t{block} * network_.channel_count();
  }

 private:
  [[nodiscard]] std::size_t at(std::uint32_t destination, std::uint32_t router) const {
    return (std::size_t{destination / PathSets::kWordBits} * network_.router_count() + router) *
               PathSets::kWordBits +
           destination % PathSets::kWordBits;
  }
  const Network& network_;
  BulkVector<std::uint16_t> entries_;  // by block, router and destination of the block
  BulkVector<Word> allowed_;           // by block and channel
  std::vector<Unserved> unserved_;
};

}  // namespace unknot
