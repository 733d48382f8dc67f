// SPDX-License-Identifier: Apache-2.0
#include "unknot/network/cuts/bisection.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <utility>

#include "unknot/network/bfs.hpp"
#include "unknot/network/connectivity.hpp"
#include "unknot/network/cuts/local_cut.hpp"
#include "unknot/network/cuts/partitioners.hpp"
#include "unknot/support/parallel.hpp"
#include "unknot/support/random.hpp"

namespace unknot {
namespace {

constexpr std::uint64_t kWork = 400'000'000;   // neighbour looks over all searches, about a second or two
constexpr std::uint64_t kLooksPerSearch = 12;  // passes a local search takes, roughly
constexpr std::uint32_t kMinStarts = 4;
constexpr std::uint32_t kMaxStarts = 64;
constexpr std::uint32_t kMaxDisturbances = 256;
constexpr std::uint32_t kPartitionerWork = 1'000'000;  // channels times seeds, about a second of each library

/// Side 1 from where the routers so far hold half of all weight.
std::vector<std::uint8_t> halve(const CutGraph& graph, const std::vector<std::uint32_t>& order) {
  std::vector<std::uint8_t> side(order.size(), 1);
  std::uint64_t held = 0;
  for (const std::uint32_t r : order) {
    // The router across the middle goes where it leaves the halves more equal.
    if (2 * held + graph.weight[r] > graph.total_weight) break;
    held += graph.weight[r];
    side[r] = 0;
  }
  return side;
}

/// Routers in the order a breadth-first search finds them; parts it does not reach follow.
std::vector<std::uint32_t> region_order(const Network& network, std::uint32_t root) {
  BreadthFirstSearch search(network);
  search.from(RouterId(root));
  std::vector<std::uint32_t> order;
  std::vector<bool> seen(network.router_count(), false);
  for (const RouterId r : search.order()) {
    order.push_back(r.value);
    seen[r.value] = true;
  }
  for (std::uint32_t r = 0; r < network.router_count(); ++r) {
    if (!seen[r]) order.push_back(r);
  }
  return order;
}

/// Order in which start number `start` cuts the routers in two.
std::vector<std::uint32_t> start_order(const Network& network, std::uint32_t start, std::uint64_t seed) {
  std::vector<std::uint32_t> order(network.router_count());
  std::iota(order.begin(), order.end(), 0U);
  if (start == 0) return order;
  const Coordinates* at = network.coordinates();
  const std::uint32_t dimensions = at == nullptr ? 0 : at->dimensions;
  if (start <= dimensions) {
    const std::uint32_t d = start - 1;
    std::stable_sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return at->value[std::size_t{a} * dimensions + d] < at->value[std::size_t{b} * dimensions + d];
    });
    return order;
  }
  Random random(seed, start);
  if ((start - dimensions) % 2 == 1) return region_order(network, random.below(network.router_count()));
  random.shuffle(order);
  return order;
}

/// Exchanges random routers between the sides until about `count` have changed.
void disturb(const CutGraph& graph, std::vector<std::uint8_t>& side, std::uint32_t count, Random& random) {
  const auto n = static_cast<std::uint32_t>(side.size());
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::uint32_t a = random.below(n);
    const std::uint32_t b = random.below(n);
    if (side[a] != side[b] && graph.weight[a] == graph.weight[b]) std::swap(side[a], side[b]);
  }
}

struct Found {
  std::uint64_t cut = std::numeric_limits<std::uint64_t>::max();
  std::uint32_t number = 0;
  std::vector<std::uint8_t> side;
  void keep_better(Found&& other) {
    if (std::pair(other.cut, other.number) < std::pair(cut, number)) *this = std::move(other);
  }
};

/// The best of `count` searches; search(i, scratch) gives the sides that number i starts from.
template <class Start>
Found best_of(const CutGraph& graph, std::uint32_t count, std::uint32_t threads, const Start& start) {
  std::vector<Found> best(threads);
  std::vector<LocalCut> scratch;
  scratch.reserve(threads);
  for (std::uint32_t i = 0; i < threads; ++i) scratch.emplace_back(graph);
  parallel_blocks(count, 1, threads, [&](std::uint32_t worker, std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t i = begin; i < end; ++i) {
      Found found{0, i, start(i)};
      found.cut = scratch[worker].improve(found.side);
      best[worker].keep_better(std::move(found));
    }
  });
  Found result;
  for (Found& found : best) result.keep_better(std::move(found));
  return result;
}

/// What a partitioning library finds with several seeds, evened out and improved. The libraries run one at a
/// time, the searches side by side.
template <class Halves>
Found by_partitioner(const CutGraph& graph, const BisectionOptions& options, std::uint32_t threads,
                     const Halves& halves) {
  const auto channels = static_cast<std::uint32_t>(graph.neighbours.size());
  const std::uint32_t seeds =
      std::min(options.partitioner_seeds, std::max(1U, kPartitionerWork / std::max(1U, channels)));
  std::vector<std::vector<std::uint8_t>> starts;
  for (std::uint32_t i = 0; i < seeds; ++i) {
    std::vector<std::uint8_t> side = halves(graph, options.seed + i);
    if (side.empty()) break;
    LocalCut::even_out(graph, side);
    starts.push_back(std::move(side));
  }
  if (starts.empty()) return {};
  const auto count = static_cast<std::uint32_t>(starts.size());
  return best_of(graph, count, std::min(threads, count), [&](std::uint32_t i) { return starts[i]; });
}

}  // namespace

std::optional<Bisection> bisection_upper_bound(const Network& network, const BisectionOptions& options) {
  if (network.router_count() < 2 || network.channel_count() > options.max_channels) return std::nullopt;
  const CutGraph graph(network);
  const std::uint64_t searches =
      kWork / (kLooksPerSearch * (std::uint64_t{network.channel_count()} + network.router_count()));
  const std::uint32_t dimensions = network.coordinates() == nullptr ? 0 : network.coordinates()->dimensions;
  const std::uint32_t starts = dimensions + static_cast<std::uint32_t>(std::clamp<std::uint64_t>(
                                                searches / 2, kMinStarts, kMaxStarts));
  const std::uint32_t threads = std::min(starts, options.threads == 0 ? hardware_threads() : options.threads);
  Found best = best_of(graph, starts, threads,
                       [&](std::uint32_t i) { return halve(graph, start_order(network, i, options.seed)); });

  // Rounds of disturbed copies: within a round all start from the same best, so threads do not matter.
  const auto disturbances =
      static_cast<std::uint32_t>(std::min<std::uint64_t>(searches / 2, kMaxDisturbances));
  constexpr std::uint32_t kRound = 16;
  for (std::uint32_t done = 0; done + kRound <= disturbances; done += kRound) {
    Found round = best_of(graph, kRound, std::min(threads, kRound), [&](std::uint32_t i) {
      Random random(options.seed, (std::uint64_t{1} << 32U) + done + i);
      std::vector<std::uint8_t> side = best.side;
      // From a few routers to a quarter of them.
      disturb(graph, side, std::max(4U, network.router_count() >> (2 + i % 5)), random);
      return side;
    });
    if (round.cut < best.cut) best = std::move(round);
  }

  Bisection result;
  result.by_search = static_cast<double>(best.cut) / 2;
  Found metis = by_partitioner(graph, options, threads, metis_halves);
  if (!metis.side.empty()) result.by_metis = static_cast<double>(metis.cut) / 2;
  // on a network in parts Scotch loses memory
  const bool whole = strongly_connected_parts(network).count == 1;
  Found scotch = whole ? by_partitioner(graph, options, threads, scotch_halves) : Found{};
  if (!scotch.side.empty()) result.by_scotch = static_cast<double>(scotch.cut) / 2;
  if (metis.cut < best.cut) best = std::move(metis);
  if (scotch.cut < best.cut) best = std::move(scotch);
  result.cut = static_cast<double>(best.cut) / 2;
  std::uint64_t weights[2] = {0, 0};
  for (const RouterId r : network.routers()) {
    weights[best.side[r.value]] += graph.weight[r.value];
    result.terminals[best.side[r.value]] += network.terminals_at(r).size();
  }
  result.per_terminal = result.cut / (static_cast<double>(weights[0] + weights[1]) / 2);
  result.side = std::move(best.side);
  return result;
}

}  // namespace unknot
