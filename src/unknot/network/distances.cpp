// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/distances.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>

#include "unknot/support/parallel.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kUnreached = 0xFFFFFFFFU;
constexpr std::uint32_t kExactBins = 64;    // numbers of paths 1..64
constexpr std::uint32_t kPowerBins = 1024;  // then (2^k, 2^(k+1)], as far as a double goes
constexpr std::uint32_t kBlock = 8;         // searches handed to a thread at once

std::uint32_t bin_of(double paths) {
  if (paths <= kExactBins) return static_cast<std::uint32_t>(paths) - 1;
  if (std::isinf(paths)) return kExactBins + kPowerBins - 1;
  const int exponent = std::ilogb(paths);
  const bool power = paths == std::ldexp(1.0, exponent);
  return kExactBins + static_cast<std::uint32_t>(exponent - (power ? 1 : 0)) - 6;
}

PathDiversity::Bin bin_range(std::uint32_t bin) {
  if (bin < kExactBins) return {bin + 1.0, bin + 1.0, 0};
  const int exponent = static_cast<int>(bin - kExactBins) + 6;
  return {std::ldexp(1.0, exponent) + 1, std::ldexp(1.0, exponent + 1), 0};
}

/// What one thread has gathered; sums of whole numbers, so their order does not matter.
struct Tally {
  std::uint32_t diameter = 0;
  std::uint32_t router_diameter = 0;
  std::uint64_t unreachable = 0;
  std::uint64_t terminal_pairs = 0;
  std::uint64_t terminal_hops = 0;
  std::vector<std::uint64_t> pairs_at;
  std::array<std::uint64_t, kExactBins + kPowerBins> paths{};
  double least = std::numeric_limits<double>::infinity();
  double most = 0;
};

/// Breadth-first search that counts shortest paths on the way: numbers of paths are doubles, exact to 2^53
/// and never wrapping round.
class CountingSearch {
 public:
  explicit CountingSearch(const Network& network)
      : network_(network), state_(network.router_count()), order_(network.router_count()) {}

  void run(std::uint32_t source) {
    for (std::uint32_t i = 0; i < reached_; ++i) state_[order_[i]] = {};
    state_[source] = {0, 1};
    order_[0] = source;
    reached_ = 1;
    for (std::uint32_t head = 0; head < reached_; ++head) {
      const State here = state_[order_[head]];
      const IdRange<ChannelId> row = network_.out(RouterId(order_[head]));
      for (std::uint32_t c = row.first(); c < row.last(); ++c) {
        const std::uint32_t v = network_.target(ChannelId(c)).value;
        State& there = state_[v];
        if (there.distance == kUnreached) {
          there = {here.distance + 1, here.paths};
          order_[reached_++] = v;
        } else if (there.distance == here.distance + 1) {
          there.paths += here.paths;
        }
      }
    }
  }

  [[nodiscard]] std::uint32_t distance(std::uint32_t r) const { return state_[r].distance; }
  [[nodiscard]] double paths(std::uint32_t r) const { return state_[r].paths; }
  [[nodiscard]] std::uint32_t eccentricity() const { return state_[order_[reached_ - 1]].distance; }

 private:
  struct State {
    std::uint32_t distance = kUnreached;
    double paths = 0;
  };
  const Network& network_;
  std::vector<State> state_;
  std::vector<std::uint32_t> order_;
  std::uint32_t reached_ = 0;
};

/// Adds the pairs from `source` to every endpoint router; returns their sum of numbers of paths.
double count_pairs(const Network& network, const std::vector<std::uint32_t>& endpoints,
                   const CountingSearch& search, std::uint32_t source, Tally& tally) {
  double sum = 0;
  const std::uint64_t here = network.terminals_at(RouterId(source)).size();
  for (const std::uint32_t r : endpoints) {
    if (r == source) continue;
    const std::uint32_t distance = search.distance(r);
    if (distance == kUnreached) {
      ++tally.unreachable;
      continue;
    }
    if (distance >= tally.pairs_at.size()) tally.pairs_at.resize(distance + std::size_t{1}, 0);
    ++tally.pairs_at[distance];
    const std::uint64_t pairs = here * network.terminals_at(RouterId(r)).size();
    tally.terminal_pairs += pairs;
    tally.terminal_hops += pairs * distance;
    const double paths = search.paths(r);
    ++tally.paths[bin_of(paths)];
    tally.least = std::min(tally.least, paths);
    tally.most = std::max(tally.most, paths);
    sum += paths;
  }
  if (here > 0) tally.terminal_pairs += here * (here - 1);
  if (!tally.pairs_at.empty()) {
    tally.diameter = std::max(tally.diameter, static_cast<std::uint32_t>(tally.pairs_at.size() - 1));
  }
  return sum;
}

std::vector<std::uint32_t> endpoint_routers(const Network& network) {
  std::vector<std::uint32_t> endpoints;
  for (const RouterId r : network.routers()) {
    if (network.terminal_count() == 0 || !network.terminals_at(r).empty()) endpoints.push_back(r.value);
  }
  return endpoints;
}

/// Routers to search from: all, or a sample of the endpoint routers.
std::vector<std::uint32_t> choose_sources(const Network& network, const std::vector<std::uint32_t>& endpoints,
                                          const DistanceOptions& options, bool& exact) {
  const std::uint64_t looks = std::uint64_t{network.channel_count()} + network.router_count();
  exact = looks * network.router_count() <= options.max_looks;
  std::vector<std::uint32_t> sources;
  if (exact) {
    sources.resize(network.router_count());
    std::iota(sources.begin(), sources.end(), 0U);
    return sources;
  }
  sources = endpoints;
  const std::uint64_t wanted = std::max<std::uint64_t>(1, options.max_looks / looks);
  if (wanted >= sources.size()) return sources;
  Random random(options.seed);
  random.shuffle(sources);
  sources.resize(wanted);
  std::sort(sources.begin(), sources.end());
  return sources;
}

}  // namespace

DistanceStatistics distance_statistics(const Network& network, const DistanceOptions& options) {
  DistanceStatistics result;
  if (network.router_count() == 0) return result;
  const std::vector<std::uint32_t> endpoints = endpoint_routers(network);
  std::vector<bool> is_endpoint(network.router_count(), false);
  for (const std::uint32_t r : endpoints) is_endpoint[r] = true;
  const std::vector<std::uint32_t> sources = choose_sources(network, endpoints, options, result.exact);

  const auto count = static_cast<std::uint32_t>(sources.size());
  const std::uint32_t threads = std::min(count, options.threads == 0 ? hardware_threads() : options.threads);
  std::vector<Tally> tallies(threads);
  std::vector<CountingSearch> searches;
  searches.reserve(threads);
  for (std::uint32_t i = 0; i < threads; ++i) searches.emplace_back(network);
  std::vector<double> path_sum(count, 0);  // by source: added up in order below
  parallel_blocks(count, kBlock, threads, [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
    CountingSearch& search = searches[worker];
    Tally& tally = tallies[worker];
    for (std::uint32_t i = begin; i < end; ++i) {
      search.run(sources[i]);
      tally.router_diameter = std::max(tally.router_diameter, search.eccentricity());
      if (is_endpoint[sources[i]]) path_sum[i] = count_pairs(network, endpoints, search, sources[i], tally);
    }
  });

  Tally total;
  for (const Tally& tally : tallies) {
    total.diameter = std::max(total.diameter, tally.diameter);
    total.router_diameter = std::max(total.router_diameter, tally.router_diameter);
    total.unreachable += tally.unreachable;
    total.terminal_pairs += tally.terminal_pairs;
    total.terminal_hops += tally.terminal_hops;
    total.pairs_at.resize(std::max(total.pairs_at.size(), tally.pairs_at.size()), 0);
    for (std::size_t d = 0; d < tally.pairs_at.size(); ++d) total.pairs_at[d] += tally.pairs_at[d];
    for (std::size_t b = 0; b < total.paths.size(); ++b) total.paths[b] += tally.paths[b];
    total.least = std::min(total.least, tally.least);
    total.most = std::max(total.most, tally.most);
  }
  result.diameter = total.diameter;
  result.router_diameter = total.router_diameter;
  result.unreachable_pairs = total.unreachable;
  result.pairs_at = total.pairs_at;
  std::uint64_t pairs = 0;
  std::uint64_t hops = 0;
  for (std::size_t d = 0; d < total.pairs_at.size(); ++d) {
    pairs += total.pairs_at[d];
    hops += total.pairs_at[d] * d;
  }
  if (pairs > 0) {
    result.mean_distance = static_cast<double>(hops) / static_cast<double>(pairs);
    result.paths.min = total.least;
    result.paths.max = total.most;
    result.paths.mean = std::accumulate(path_sum.begin(), path_sum.end(), 0.0) / static_cast<double>(pairs);
  }
  if (total.terminal_pairs > 0) {
    result.mean_hops = static_cast<double>(total.terminal_hops) / static_cast<double>(total.terminal_pairs);
  }
  for (std::uint32_t b = 0; b < total.paths.size(); ++b) {
    if (total.paths[b] == 0) continue;
    result.paths.bins.push_back(bin_range(b));
    result.paths.bins.back().pairs = total.paths[b];
  }
  return result;
}

}  // namespace unknot
