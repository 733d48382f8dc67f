// SPDX-License-Identifier: Apache-2.0
#include "unknot/bounds/hose_bound.hpp"

#include <algorithm>
#include <limits>
#include <memory>
#include <stdexcept>
#include <vector>

#include "unknot/network/bfs.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/shared_progress.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kProvesNothing = std::numeric_limits<std::uint64_t>::max();

/// Routers that a router with terminals reaches, along the channels or against them; itself only through
/// others that count anyway.
std::vector<bool> near_terminals(const Network& network, bool along) {
  std::vector<bool> seen(network.router_count(), false);
  std::vector<RouterId> open;
  for (const RouterId r : network.routers()) {
    if (network.terminals_at(r).empty()) continue;
    seen[r.value] = true;
    open.push_back(r);
  }
  const auto visit = [&](RouterId r) {
    if (seen[r.value]) return;
    seen[r.value] = true;
    open.push_back(r);
  };
  while (!open.empty()) {
    const RouterId r = open.back();
    open.pop_back();
    if (along) {
      for (const ChannelId c : network.out(r)) visit(network.target(c));
    } else {
      for (const ChannelId c : network.in(r)) visit(network.source(c));
    }
  }
  return seen;
}

std::uint64_t useful_channels(const Network& network) {
  const std::vector<bool> reached = near_terminals(network, true);
  const std::vector<bool> reaches = near_terminals(network, false);
  std::uint64_t count = 0;
  for (const ChannelId c : network.channels())
    count += reached[network.source(c).value] && reaches[network.target(c).value] ? 1 : 0;
  return count;
}

/// What one thread finds; whole numbers, so that the order of adding does not matter.
struct Tally {
  explicit Tally(const Network& network) : search(network) {}
  BreadthFirstSearch search;
  std::uint64_t length = 0, unreachable = 0, uncovered = 0;
  std::uint32_t diameter = 0;
  bool joined = true;  // all parts have paths
};

}  // namespace

double HoseBound::throughput() const {
  if (unreachable_pairs > 0) return 0;
  if (length == 0) return std::numeric_limits<double>::infinity();
  return static_cast<double>(channels) / static_cast<double>(length);
}

HoseBound check_hose_bound(const Network& network, const LongestMatching& matching, std::uint32_t threads,
                           Progress& progress) {
  const std::uint32_t routers = network.router_count();
  if (matching.sender.size() != routers || matching.receiver.size() != routers)
    throw std::logic_error("check_hose_bound: the potentials are not those of this network");
  HoseBound bound;
  bound.channels = useful_channels(network);
  std::vector<std::uint64_t> sends(routers, 0);
  std::vector<std::uint64_t> receives(routers, 0);
  std::vector<std::vector<LongestMatching::Part>> from(routers);
  for (const LongestMatching::Part& part : matching.parts) {
    if (part.source == part.destination) throw std::logic_error("check_hose_bound: traffic inside a router");
    sends[part.source.value] += part.terminals;
    receives[part.destination.value] += part.terminals;
    bound.terminals_matched += part.terminals;
    from[part.source.value].push_back(part);
  }
  for (const RouterId r : network.routers()) {
    const std::uint64_t terminals = network.terminals_at(r).size();
    if (sends[r.value] > terminals || receives[r.value] > terminals)
      throw std::logic_error("check_hose_bound: more traffic than terminals");
    bound.longest +=
        terminals * (std::uint64_t{matching.sender[r.value]} + std::uint64_t{matching.receiver[r.value]});
  }
  SharedProgress shared(progress, "checking distances", routers);
  std::vector<std::unique_ptr<Tally>> tallies(threads == 0 ? hardware_threads() : threads);
  parallel_blocks(routers, 16, threads, [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
    if (!tallies[worker]) tallies[worker] = std::make_unique<Tally>(network);
    Tally& tally = *tallies[worker];
    for (std::uint32_t s = begin; s < end; ++s) {
      shared.step();
      if (network.terminals_at(RouterId(s)).empty()) continue;
      const std::span<const std::uint32_t> distance = tally.search.from(RouterId(s));
      for (std::uint32_t d = 0; d < routers; ++d) {
        if (network.terminals_at(RouterId(d)).empty()) continue;
        if (distance[d] == BreadthFirstSearch::kUnreached) {
          ++tally.unreachable;
        } else {
          tally.diameter = std::max(tally.diameter, distance[d]);
          if (std::uint64_t{matching.sender[s]} + matching.receiver[d] < distance[d]) ++tally.uncovered;
        }
      }
      for (const LongestMatching::Part& part : from[s]) {
        if (distance[part.destination.value] == BreadthFirstSearch::kUnreached) {
          tally.joined = false;
        } else {
          tally.length += std::uint64_t{part.terminals} * distance[part.destination.value];
        }
      }
    }
  });
  for (const std::unique_ptr<Tally>& tally : tallies) {
    if (!tally) continue;
    if (!tally->joined) throw std::logic_error("check_hose_bound: traffic without a path");
    bound.length += tally->length;
    bound.unreachable_pairs += tally->unreachable;
    bound.diameter = std::max(bound.diameter, tally->diameter);
    if (tally->uncovered > 0) bound.longest = kProvesNothing;
  }
  return bound;
}

HoseBound hose_bound(const Network& network, std::uint32_t threads, Progress& progress) {
  return check_hose_bound(network, longest_matching(network, threads, progress), threads, progress);
}

}  // namespace unknot
