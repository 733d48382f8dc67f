// SPDX-License-Identifier: Apache-2.0
#include "unknot/oblivious/path_lengths.hpp"

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "unknot/network/bfs.hpp"
#include "unknot/oblivious/endpoint_routers.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kBlock = 8;  // searches handed to a thread at once

/// The farthest of a router's peers, and the farthest but for that one; 0 where there is none.
struct Farthest {
  std::uint32_t first = 0, second = 0;
  RouterId who;
  void add(RouterId peer, std::uint32_t distance) {
    if (distance > first) {
      second = first;
      first = distance;
      who = peer;
    } else {
      second = std::max(second, distance);
    }
  }
};

Farthest farthest(RouterId here, const EndpointRouters& endpoints, std::span<const std::uint32_t> distance) {
  Farthest result;
  for (const RouterId peer : endpoints.all()) {
    if (peer != here && distance[peer.value] != BreadthFirstSearch::kUnreached)
      result.add(peer, distance[peer.value]);
  }
  return result;
}

/// Longest way in and then out again, from one peer to another; 0 where there are no two such peers.
std::uint32_t longest_through(const Farthest& in, const Farthest& out) {
  const auto both = [](std::uint32_t a, std::uint32_t b) { return a == 0 || b == 0 ? 0 : a + b; };
  if (in.who != out.who) return both(in.first, out.first);
  return std::max(both(in.first, out.second), both(in.second, out.first));
}

}  // namespace

PathLengths path_lengths(const Network& network, ObliviousPaths paths, std::uint32_t threads) {
  if (threads == 0) threads = hardware_threads();
  const EndpointRouters endpoints(network);
  std::vector<std::unique_ptr<BreadthFirstSearch>> searches(threads);
  std::vector<PathLengths> found(threads);
  parallel_blocks(
      endpoints.count(), kBlock, threads, [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
        if (!searches[worker]) searches[worker] = std::make_unique<BreadthFirstSearch>(network);
        PathLengths& lengths = found[worker];
        for (std::uint32_t e = begin; e < end; ++e) {
          const Farthest in = farthest(endpoints[e], endpoints, searches[worker]->to(endpoints[e]));
          lengths.diameter = std::max(lengths.diameter, in.first);
          if (paths == ObliviousPaths::minimal) continue;
          const Farthest out = farthest(endpoints[e], endpoints, searches[worker]->from(endpoints[e]));
          lengths.longest = std::max(lengths.longest, longest_through(in, out));
        }
      });
  PathLengths result{paths, 0, 0};
  for (const PathLengths& lengths : found) {
    result.diameter = std::max(result.diameter, lengths.diameter);
    result.longest = std::max(result.longest, lengths.longest);
  }
  if (paths == ObliviousPaths::minimal) result.longest = result.diameter;
  return result;
}

}  // namespace unknot
