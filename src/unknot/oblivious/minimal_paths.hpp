// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "unknot/network/network.hpp"
#include "unknot/oblivious/endpoint_routers.hpp"

namespace unknot {

/// All shortest paths from every router to every endpoint router (one that carries terminals), as tables to
/// look things up in: what adaptive routing asks at each hop. Whoever needs one destination at a time takes
/// PathsTo, which keeps nothing.
///
/// Memory: 14 bytes for each router and endpoint router, and 4 for each channel on a shortest path to each
/// endpoint router (at least one for each router and endpoint router): 2.2 MB for the Slim Fly of q = 13.
/// The network must outlive it.
class MinimalPaths {
 public:
  static constexpr std::uint16_t kUnreached = 0xFFFF;
  /// Most pairs of a router and an endpoint router: about 8 GB.
  static constexpr std::uint64_t kMaxPairs = 400'000'000;

  /// O(endpoint routers * channels), parallel over destinations. InputError where there are more than
  /// kMaxPairs, or a shortest path has more than 65,534 channels.
  explicit MinimalPaths(const Network& network, std::uint32_t threads = 0);

  [[nodiscard]] const EndpointRouters& endpoints() const { return endpoints_; }

  // `destination` must carry terminals; all queries are O(1).

  /// In channels; 0 at the destination, kUnreached where no path leads there.
  [[nodiscard]] std::uint16_t distance(RouterId at, RouterId destination) const {
    return distance_[entry(at, destination)];
  }
  /// Channels of `at` on a shortest path to `destination`, in order of port; empty at the destination and
  /// where no path leads there.
  [[nodiscard]] std::span<const ChannelId> next(RouterId at, RouterId destination) const {
    const std::uint32_t row = endpoints_.index_of(destination);
    const std::size_t e = row * std::size_t{routers_} + at.value;
    const ChannelId* channels = next_.data() + row_first_[row];
    const std::uint32_t last = at.value + 1 < routers_ ? first_[e + 1] : row_length(row);
    return {channels + first_[e], channels + last};
  }
  /// Number of shortest paths, parallel cables counted apart: exact up to 2^53, infinite beyond 1e308; 1 at
  /// the destination. A packet that takes channel c with probability paths(target(c), d) / paths(at, d) takes
  /// every path with the same probability.
  [[nodiscard]] double paths(RouterId at, RouterId destination) const {
    return paths_[entry(at, destination)];
  }

  /// Longest of the shortest paths between endpoint routers.
  [[nodiscard]] std::uint32_t diameter() const { return diameter_; }
  /// Ordered pairs of endpoint routers that no path joins.
  [[nodiscard]] std::uint64_t unreachable_pairs() const { return unreachable_pairs_; }

 private:
  [[nodiscard]] std::size_t entry(RouterId at, RouterId destination) const {
    return endpoints_.index_of(destination) * std::size_t{routers_} + at.value;
  }
  [[nodiscard]] std::uint32_t row_length(std::uint32_t row) const {
    return static_cast<std::uint32_t>(row_first_[row + 1] - row_first_[row]);
  }

  EndpointRouters endpoints_;
  std::uint32_t routers_ = 0;
  std::uint32_t diameter_ = 0;
  std::uint64_t unreachable_pairs_ = 0;
  // Rows by endpoint index, in a row an entry for each router.
  std::vector<std::uint16_t> distance_;
  std::vector<double> paths_;
  std::vector<std::uint32_t> first_;      // into the row's part of next_
  std::vector<std::uint64_t> row_first_;  // by row, and one more: into next_
  std::vector<ChannelId> next_;
};

}  // namespace unknot
