// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <vector>

#include "unknot/network/network.hpp"

namespace unknot {

/// Shortest paths from one router to another, first, second, third, ...: loopless, ordered by length, then by
/// the numbers of their channels (Yen 1971; Lawler 1972: a path found branches only behind where it left its
/// own parent, so that none is found twice). Scratch space for any number of pairs. The network must outlive
/// it.
class KShortestPaths {
 public:
  explicit KShortestPaths(const Network& network);

  /// Up to `count` paths between different routers; fewer where there are no more. Valid until the next call.
  /// O(count * length) searches of O(channels) at most, which end as soon as they have met.
  const std::vector<std::vector<ChannelId>>& find(RouterId source, RouterId destination, std::uint32_t count);

 private:
  struct Candidate {
    std::vector<ChannelId> path;
    std::size_t branch = 0;  ///< channels that it has in common with its parent
    bool operator>(const Candidate& other) const;
  };
  bool complete(std::vector<ChannelId>& path, std::size_t branch, RouterId source, RouterId destination);

  const Network& network_;
  std::vector<std::vector<ChannelId>> found_;
  std::vector<Candidate> candidates_;    // a heap, the best on top
  std::vector<bool> closed_channel_;     // may not leave the branch
  std::vector<bool> closed_router_;      // is on the way to the branch
  std::vector<std::uint32_t> distance_;  // to the destination, past no closed router
  std::vector<RouterId> queue_;
};

}  // namespace unknot
