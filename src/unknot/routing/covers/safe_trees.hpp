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
  /// served that can be. O(destinations * routers * candidates). Memory: 10 bytes for each router and
  /// destination.
  SafeTrees(const Network& network, const PathSets& sets, const LaneTurns& turns, std::uint32_t threads);

  /// Position of the channel that the router takes.
  [[nodiscard]] std::uint16_t entry(std::uint32_t destination, std::uint32_t router) const {
    return entries_[std::size_t{destination} * routers_ + router];
  }
  void set_entry(std::uint32_t destination, std::uint32_t router, std::uint32_t position) {
    entries_[std::size_t{destination} * routers_ + router] = static_cast<std::uint16_t>(position);
  }
  /// In order of destinations, nearest routers first.
  [[nodiscard]] const std::vector<Unserved>& unserved() const { return unserved_; }
  /// The same trees under lanes that allow more.
  void allow(const LaneTurns& turns);

  /// Ports of all routers by which a lane allows the path to the destination, where the routers behind take
  /// their trees' entries; at least the one of the tree. As PortWords has them.
  [[nodiscard]] const Word* allowed(std::uint32_t destination) const {
    return allowed_.data() + std::size_t{destination} * sets_.ports().size();
  }

 private:
  void build(const LaneTurns& turns, bool choose);

  const Network& network_;
  const PathSets& sets_;
  std::uint32_t threads_;
  std::size_t routers_;
  std::vector<std::uint16_t> entries_;  // by destination and router
  BulkVector<Word> allowed_;            // by destination
  std::vector<Unserved> unserved_;
};

}  // namespace unknot
