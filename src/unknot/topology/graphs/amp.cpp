// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

#include "unknot/network/builder.hpp"
#include "unknot/network/network.hpp"
#include "unknot/support/random.hpp"
#include "unknot/topology/families.hpp"
#include "unknot/topology/terminal_placement.hpp"

namespace unknot {
namespace {

// "A Minimum Path" network: degree 4, the mean distance as small as a search finds. The published networks
// were evolved and their cables were never printed; these come of a search of our own with the same aim, so
// names and distances agree, cables need not. [Chalmers, Tregidgo 2002; Jaros 2010, section 4.1.3]
struct AmpParams {
  std::uint32_t routers = 8;  // 5 to 256
  std::uint64_t seed = 1;
  std::uint32_t moves = 20'000;  // exchanges tried
};

constexpr std::uint32_t kDegree = 4;
constexpr std::uint32_t kLeast = 5;
constexpr std::uint32_t kMost = 256;

using Neighbours = std::vector<std::array<std::uint16_t, kDegree>>;

/// Sum of the distances of all ordered pairs of a graph, by sets of routers as words of bits: the routers
/// within d+1 hops of v are those within d hops of its neighbours.
class DistanceSum {
 public:
  explicit DistanceSum(std::uint32_t routers)
      : routers_(routers),
        words_((routers + 63) / 64),
        within_(std::size_t{routers} * words_),
        next_(within_) {}

  /// More than any connected graph's sum where the graph falls apart.
  std::uint64_t of(const Neighbours& neighbours) {
    std::fill(within_.begin(), within_.end(), 0);
    for (std::uint32_t v = 0; v < routers_; ++v) within_[v * words_ + v / 64] = std::uint64_t{1} << (v % 64);
    const std::uint64_t pairs = std::uint64_t{routers_} * routers_;
    std::uint64_t reached = routers_;
    std::uint64_t sum = 0;
    while (reached < pairs) {
      sum += pairs - reached;  // this many pairs are further apart than the hops so far
      std::uint64_t now = 0;
      for (std::uint32_t v = 0; v < routers_; ++v) {
        for (std::uint32_t w = 0; w < words_; ++w) {
          std::uint64_t bits = within_[v * words_ + w];
          for (const std::uint16_t u : neighbours[v]) bits |= within_[u * words_ + w];
          next_[v * words_ + w] = bits;
          now += static_cast<std::uint64_t>(std::popcount(bits));
        }
      }
      if (now == reached) return pairs * routers_;
      reached = now;
      within_.swap(next_);
    }
    return sum;
  }

 private:
  std::uint32_t routers_, words_;
  std::vector<std::uint64_t> within_, next_;
};

/// Least sum of distances a graph of degree 4 can have: 4, 12, 36, ... routers at distance 1, 2, 3, ...
std::uint64_t least_sum(std::uint32_t routers) {
  std::uint64_t sum = 0;
  std::uint64_t left = routers - 1;
  std::uint64_t ring = kDegree;
  for (std::uint64_t distance = 1; left > 0; ++distance, ring *= kDegree - 1) {
    const std::uint64_t here = std::min(left, ring);
    sum += distance * here;
    left -= here;
  }
  return sum * routers;
}

struct Cable {
  std::uint16_t a, b;
};

Neighbours neighbours_of(std::uint32_t routers, const std::vector<Cable>& cables) {
  Neighbours neighbours(routers);
  std::vector<std::uint8_t> used(routers, 0);
  for (const Cable& cable : cables) {
    neighbours[cable.a][used[cable.a]++] = cable.b;
    neighbours[cable.b][used[cable.b]++] = cable.a;
  }
  return neighbours;
}

std::vector<Cable> first_cables(std::uint32_t routers) {
  std::uint32_t b = 2;
  while (2 * b * b < routers) ++b;
  std::vector<Cable> cables;
  for (const std::uint32_t jump : {b - 1, b}) {
    for (std::uint32_t r = 0; r < routers; ++r) {
      cables.push_back({static_cast<std::uint16_t>(r), static_cast<std::uint16_t>((r + jump) % routers)});
    }
  }
  return cables;
}

bool joined(const Neighbours& neighbours, std::uint16_t a, std::uint16_t b) {
  const auto& row = neighbours[a];
  return std::find(row.begin(), row.end(), b) != row.end();
}

void change(Neighbours& neighbours, std::uint16_t at, std::uint16_t from, std::uint16_t to) {
  auto& row = neighbours[at];
  *std::find(row.begin(), row.end(), from) = to;
}

std::vector<Cable> search(const AmpParams& params) {
  std::vector<Cable> cables = first_cables(params.routers);
  Neighbours neighbours = neighbours_of(params.routers, cables);
  DistanceSum distances(params.routers);
  const std::uint64_t bound = least_sum(params.routers);
  std::uint64_t cost = distances.of(neighbours);
  std::vector<Cable> best = cables;
  std::uint64_t best_cost = cost;
  Random random(params.seed);
  const auto count = static_cast<std::uint32_t>(cables.size());
  // A sum changes in steps of two; from steps of a few to none.
  constexpr double kHot = 8;
  constexpr double kCold = 0.5;
  for (std::uint32_t move = 0; move < params.moves && best_cost > bound; ++move) {
    Cable& one = cables[random.below(count)];
    Cable& other = cables[random.below(count)];
    const bool turned = random.below(2) == 1;
    const double luck = random.unit();
    const Cable old_one = one;
    const Cable old_other = turned ? Cable{other.b, other.a} : other;
    // a-b and c-d become a-d and c-b
    const auto [a, b] = old_one;
    const auto [c, d] = old_other;
    if (a == c || a == d || b == c || b == d || joined(neighbours, a, d) || joined(neighbours, c, b))
      continue;
    change(neighbours, a, b, d);
    change(neighbours, d, c, a);
    change(neighbours, c, d, b);
    change(neighbours, b, a, c);
    const std::uint64_t changed = distances.of(neighbours);
    const double heat = kHot * std::pow(kCold / kHot, static_cast<double>(move) / params.moves);
    if (changed <= cost || luck < std::exp(-static_cast<double>(changed - cost) / heat)) {
      one = {a, d};
      other = {c, b};
      cost = changed;
      if (cost < best_cost) {
        best_cost = cost;
        best = cables;
      }
    } else {
      change(neighbours, a, d, b);
      change(neighbours, d, a, c);
      change(neighbours, c, b, d);
      change(neighbours, b, c, a);
    }
  }
  return best;
}

AmpParams params_from(const Parameters& p) {
  return {p.number32("n"), p.number("seed"), p.number32("moves")};
}

}  // namespace

// Simulated annealing from the midimew circulant: two cables exchange ends, accepted by the sum of
// distances. Stops early where that meets the bound (4 routers at distance 1, 12 at 2, 36 at 3, ...).
// Deterministic. O(moves n^2 diameter / 64): tens of milliseconds for 53 routers.
static Network amp(const AmpParams& params, const TerminalPlacement& terminals) {
  NetworkBuilder builder;
  builder.add_routers(params.routers);
  std::vector<Cable> cables = search(params);
  for (Cable& cable : cables) cable = {std::min(cable.a, cable.b), std::max(cable.a, cable.b)};
  std::sort(cables.begin(), cables.end(),
            [](const Cable& x, const Cable& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); });
  for (const Cable& cable : cables) builder.add_cable(RouterId(cable.a), RouterId(cable.b));
  place_terminals(builder, RouterId(0), params.routers, terminals);
  return std::move(builder).build();
}

Topology amp_topology() {
  return {.name = "amp",
          .summary = "degree 4 and the least mean distance a search finds",
          .parameters = {{.name = "n", .help = "routers", .min = kLeast, .max = kMost},
                         {.name = "seed", .help = "random seed", .fallback = "1"},
                         {.name = "moves",
                          .help = "exchanges of cables tried",
                          .fallback = "20000",
                          .max = 10'000'000}},
          .size =
              [](const Parameters& p) {
                const std::uint64_t n = p.number("n");
                return NetworkSize{n, n * kDegree / 2, placement_from(p).total(n)};
              },
          .make = [](const Parameters& p) { return amp(params_from(p), placement_from(p)); },
          .examples = {"amp:8,moves=100", "amp:13,moves=100,p=2"}};
}

}  // namespace unknot
