// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "unknot/network/live/live_network.hpp"
#include "unknot/support/bulk_vector.hpp"

namespace unknot {

/// Hops of the shortest path from every router to some of them, kept while the network changes [Ramalingam,
/// Reps 1996]: a channel that dies or comes back has only those looked at whose hops change. Memory: a byte
/// for each router and destination.
class HopCounts {
 public:
  static constexpr std::uint8_t kFar = 0xFF;
  static constexpr std::uint32_t kMost = 254;

  /// The network must outlive this. Throws RoutingFailure where a path has more than kMost hops.
  HopCounts(const LiveNetwork& network, std::vector<RouterId> homes);

  /// Towards the home of that index, by router; kFar where no path is left.
  [[nodiscard]] const std::uint8_t* towards(std::uint32_t home) const {
    return hops_.data() + std::size_t{home} * routers_;
  }
  /// What has come nearer by an event.
  struct Nearer {
    RouterId router;
    bool was_far;
  };
  /// After an event of the network, for one home; nearest first but for what has lost a path as well. Throws
  /// RoutingFailure where a path has more than kMost hops: it is good for nothing then. Mostly O(channels of
  /// the event * degree).
  void update(std::uint32_t home, const LiveEvent& event, std::vector<Nearer>& nearer);

 private:
  static constexpr std::uint32_t kNoWay = 0xFFFFFFFFU;
  /// No path is more than any number of hops.
  static bool is_more(std::uint8_t hops, std::uint32_t than) { return hops == kFar || hops > than; }
  void lose(std::uint8_t* hops, const LiveEvent& event, RouterId home);
  void gain(std::uint8_t* hops, const LiveEvent& event, std::vector<Nearer>& nearer);
  [[nodiscard]] std::uint32_t best(const std::uint8_t* hops, RouterId r) const;
  void push(std::uint32_t hops, RouterId r);
  /// Calls visit(hops, r) for what has been pushed, the least hops first, and what is pushed meanwhile.
  template <class Visit>
  void for_each_pushed(const Visit& visit);
  void check(std::uint32_t hops) const;

  const LiveNetwork* network_;
  std::vector<RouterId> homes_;
  std::size_t routers_;
  BulkVector<std::uint8_t> hops_;          // by home and router
  std::vector<std::vector<RouterId>> at_;  // by hops: to be looked at
  std::uint32_t pushed_from_ = kMost + 1, pushed_to_ = 0;
  std::vector<RouterId> lost_;           // whose hops are to be found again
  std::vector<std::uint8_t> lost_hops_;  // what they were
  std::vector<std::uint8_t> is_lost_;    // by router
};

}  // namespace unknot
