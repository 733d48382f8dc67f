// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <queue>
#include <span>
#include <utility>
#include <vector>

#include "unknot/bounds/concurrent_flow.hpp"
#include "unknot/network/distances_to.hpp"

namespace unknot {

/// Shortest paths to one router in given lengths, of all or of those of fewest channels. Scratch space of one
/// thread.
class LengthSearch {
 public:
  LengthSearch(const Network& network, const InNeighbours& neighbours, FlowWays paths);

  /// `length` by channel, all above 0, and so that no sum of two equals one of them. `order`: routers from
  /// near to far, as they were in other lengths, empty where that is not known; as they are in these
  /// afterwards, those that reach `home`. Where the lengths are nearly the same, O(channels); else a heap
  /// more.
  void run(RouterId home, std::span<const double> length, std::vector<std::uint32_t>& order);
  /// Of the last search; infinite where there is no path.
  [[nodiscard]] double distance(RouterId r) const { return distance_[r.value]; }

  /// Lays `passing`, the rate that starts at each router, over the shortest paths of the last search and
  /// those that are longer by at most `slack` of it, evenly at each router, and adds it to `flow`, by
  /// channel. `passing` is 0 afterwards. `length` and `order` are those of the search. O(channels).
  void spread(std::span<const double> length, std::span<const std::uint32_t> order, double slack,
              std::vector<double>& passing, std::span<double> flow);

 private:
  void by_heap(RouterId home, std::span<const double> length, std::vector<std::uint32_t>& order);
  void by_order(RouterId home, std::span<const double> length, std::vector<std::uint32_t>& order);
  void by_hops(RouterId home, std::span<const double> length, std::vector<std::uint32_t>& order);

  /// A channel from one to the other may be taken.
  [[nodiscard]] bool allowed(std::uint32_t from, std::uint32_t to) const {
    return paths_ == FlowWays::any || hops_.distance()[from] == hops_.distance()[to] + 1;
  }

  using Item = std::pair<double, std::uint32_t>;
  const Network& network_;
  FlowWays paths_;
  DistancesTo hops_;  // of the last search, where hops matter
  std::vector<double> distance_;
  std::vector<std::uint32_t> rank_;
  std::vector<Item> placed_;
  std::priority_queue<Item, std::vector<Item>, std::greater<>> queue_;
  std::vector<ChannelId> next_;
};

}  // namespace unknot
