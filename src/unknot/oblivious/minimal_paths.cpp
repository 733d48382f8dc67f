// SPDX-License-Identifier: Apache-2.0
#include "unknot/oblivious/minimal_paths.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "unknot/network/distances_to.hpp"
#include "unknot/oblivious/paths_to.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kBlock = 4;  // destinations handed to a thread at once

struct Row {
  std::uint32_t length = 0;    // channels in it
  std::uint32_t farthest = 0;  // endpoint router that reaches the destination
  std::uint32_t unreached = 0;
};

}  // namespace

MinimalPaths::MinimalPaths(const Network& network, std::uint32_t threads)
    : endpoints_(network), routers_(network.router_count()) {
  const std::uint32_t count = endpoints_.count();
  const std::uint64_t pairs = std::uint64_t{count} * routers_;
  if (pairs > kMaxPairs) {
    throw InputError(
        fmt::format("tables of all shortest paths are for at most {} pairs of a router and a router with "
                    "terminals, the network has {}",
                    kMaxPairs, pairs));
  }
  distance_.resize(pairs);
  paths_.resize(pairs);
  first_.resize(pairs);
  if (threads == 0) threads = hardware_threads();
  const InNeighbours neighbours(network);
  std::vector<std::unique_ptr<PathsTo>> searches(threads);
  std::vector<Row> rows(count);

  const auto measure = [&](PathsTo& search, std::uint32_t d) {
    search.run(endpoints_[d]);
    const std::span<const std::uint32_t> distance = search.distance();
    const std::size_t row = d * std::size_t{routers_};
    search.count({paths_.data() + row, routers_});
    std::uint64_t length = 0;
    for (std::uint32_t r = 0; r < routers_; ++r) {
      if (distance[r] != PathsTo::kUnreached && distance[r] >= kUnreached) {
        throw InputError(
            fmt::format("tables of all shortest paths are for paths of at most {} channels, "
                        "the one from {} to {} has {}",
                        kUnreached - 1, network.router_name(RouterId(r)), network.router_name(endpoints_[d]),
                        distance[r]));
      }
      distance_[row + r] = static_cast<std::uint16_t>(distance[r]);  // unreached: all bits set in either
      first_[row + r] = static_cast<std::uint32_t>(length);
      search.for_each_next(r, [&](std::uint32_t, std::uint32_t) { ++length; });
    }
    rows[d].length = static_cast<std::uint32_t>(length);
    for (const RouterId s : endpoints_.all()) {
      if (distance[s.value] == PathsTo::kUnreached) {
        ++rows[d].unreached;
      } else {
        rows[d].farthest = std::max(rows[d].farthest, distance[s.value]);
      }
    }
  };
  parallel_blocks(count, kBlock, threads, [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
    if (!searches[worker]) searches[worker] = std::make_unique<PathsTo>(network, neighbours);
    for (std::uint32_t d = begin; d < end; ++d) measure(*searches[worker], d);
  });

  row_first_.reserve(count + std::size_t{1});
  row_first_.push_back(0);
  for (const Row& row : rows) {
    row_first_.push_back(row_first_.back() + row.length);
    diameter_ = std::max(diameter_, row.farthest);
    unreachable_pairs_ += row.unreached;
  }
  next_.resize(row_first_.back());
  parallel_blocks(count, kBlock, threads, [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t d = begin; d < end; ++d) {
      const std::uint16_t* distance = distance_.data() + d * std::size_t{routers_};
      ChannelId* at = next_.data() + row_first_[d];
      for (std::uint32_t r = 0; r < routers_; ++r) {
        if (distance[r] == 0 || distance[r] == kUnreached) continue;
        for (const ChannelId c : network.out(RouterId(r))) {
          if (distance[network.target(c).value] + 1 == distance[r]) *at++ = c;
        }
      }
    }
  });
}

}  // namespace unknot
