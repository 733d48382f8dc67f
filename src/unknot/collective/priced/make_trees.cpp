// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/priced/make_trees.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>
#include <stdexcept>
#include <utility>

namespace unknot {
namespace {

constexpr std::uint32_t kLargestMultiple = 60;  ///< of the longest length, for lengths in small numbers
constexpr double kWhole = 1e-5;
constexpr std::uint32_t kLongestPrice = 1U << 16U;
constexpr std::array<std::uint64_t, 28> kPartsTried{1,  2,  3,   4,   5,   6,   7,   8,   9,  10,
                                                    12, 14, 15,  16,  18,  20,  24,  30,  36, 48,
                                                    60, 84, 120, 180, 240, 360, 720, 1024};
/// With so many parts what is near to the least is good enough.
constexpr std::uint64_t kManyParts = 60;

std::vector<std::uint32_t> whole_lengths(const std::vector<double>& prices) {
  const double most = *std::max_element(prices.begin(), prices.end());
  std::vector<std::uint32_t> whole(prices.size(), 0);
  if (most <= 0) return whole;
  const auto scaled = [&](std::uint32_t longest) {
    double error = 0;
    for (std::size_t a = 0; a < prices.size(); ++a) {
      const double length = prices[a] / most * longest;
      whole[a] = static_cast<std::uint32_t>(std::lround(length));
      error = std::max(error, std::abs(length - whole[a]));
    }
    return error;
  };
  for (std::uint32_t longest = 1; longest <= kLargestMultiple; ++longest) {
    if (scaled(longest) < kWhole * longest) return whole;
  }
  scaled(kLongestPrice);
  return whole;
}

/// The denominator of an amount that is a fraction but for what solvers of programs round; 0: none is small.
std::uint64_t denominator_of(double amount) {
  constexpr double kRounded = 1e-9;
  constexpr std::uint64_t kLargest = 10'000;
  double rest = amount - std::floor(amount);
  std::uint64_t before = 0, under = 1;
  // Continued fractions.
  while (std::abs(amount * static_cast<double>(under) - std::round(amount * static_cast<double>(under))) >
         kRounded * std::max(1.0, amount) * static_cast<double>(under)) {
    rest = 1 / rest;
    if (rest > static_cast<double>(kLargest)) return 0;
    const std::uint64_t next = static_cast<std::uint64_t>(rest) * under + before;
    if (next > kLargest) return 0;
    before = std::exchange(under, next);
    rest -= std::floor(rest);
  }
  return under;
}

/// The least number of parts that amounts are whole multiples of, of those that are looked at; else 0.
std::uint64_t parts_of(std::span<const TreeDemand> demands) {
  constexpr double kAsGoodAsWhole = 1e-6;
  constexpr std::uint64_t kMost = 1'000'000;
  const auto fits = [&](std::uint64_t copies) {
    for (const TreeDemand& demand : demands) {
      for (const TreeDemand::Column& column : demand.columns) {
        const double parts = column.amount * static_cast<double>(copies);
        if (std::abs(parts - std::round(parts)) > kAsGoodAsWhole * static_cast<double>(copies)) return false;
      }
    }
    return true;
  };
  for (std::uint64_t copies = 1; copies <= kPartsTried.back(); ++copies) {
    if (fits(copies)) return copies;
  }
  std::uint64_t together = 1;
  for (const TreeDemand& demand : demands) {
    for (const TreeDemand::Column& column : demand.columns) {
      const std::uint64_t own = denominator_of(column.amount);
      if (own == 0) return 0;
      together = std::lcm(together, own);
      if (together > kMost) return 0;
    }
  }
  return together;
}

/// Parts of shares given to trees, and what arcs carry then.
class Rounding {
 public:
  Rounding(const NodeGraph& graph, std::span<const TreeDemand> demands, std::uint64_t copies)
      : graph_(graph), demands_(demands), copies_(copies), load_(graph.arc_count(), 0) {
    const double nearly = std::max(1e-4, 1e-8 * static_cast<double>(copies));
    for (const TreeDemand& demand : demands) {
      std::vector<std::uint64_t>& parts = parts_.emplace_back();
      std::uint64_t left = copies * demand.shares;
      for (const TreeDemand::Column& column : demand.columns) {
        const double wanted = column.amount * static_cast<double>(copies);
        parts.push_back(std::min(left, static_cast<std::uint64_t>(std::floor(wanted + nearly))));
        left -= parts.back();
        carry(column, static_cast<std::int64_t>(parts.back()));
      }
      left_.push_back(left);
    }
    for (std::size_t d = 0; d < parts_.size(); ++d) {
      for (; left_[d] > 0; --left_[d]) {
        const std::size_t best = roomiest(d);
        ++parts_[d][best];
        carry(demands[d].columns[best], 1);
      }
    }
    relieve();
  }

  [[nodiscard]] Forest forest() const {
    Forest forest;
    forest.copies = copies_;
    for (std::size_t d = 0; d < parts_.size(); ++d) {
      for (std::size_t c = 0; c < parts_[d].size(); ++c) {
        if (parts_[d][c] > 0) add_tree(demands_[d], demands_[d].columns[c].tree, parts_[d][c], forest);
      }
    }
    return forest;
  }

 private:
  static void add_tree(const TreeDemand& demand, const PricedTree& from, std::uint64_t copies,
                       Forest& forest) {
    Forest::Tree tree{from.root, copies, {}};
    tree.group = demand.group;
    const auto add = [&](const std::vector<PricedTree::Way>& ways, std::vector<Forest::Edge>& edges) {
      edges.reserve(ways.size());
      for (const PricedTree::Way& way : ways) edges.push_back({way.front(), way.back(), forest.add_way(way)});
    };
    add(from.outward, tree.edges);
    add(from.inward, tree.inward);
    forest.trees.push_back(std::move(tree));
  }

  void carry(const TreeDemand::Column& column, std::int64_t parts) {
    for (const auto& [arc, times] : column.loads)
      load_[arc] = static_cast<std::uint64_t>(static_cast<std::int64_t>(load_[arc]) + parts * times);
  }

  [[nodiscard]] double use(std::uint32_t arc, std::uint64_t more) const {
    return static_cast<double>(load_[arc] + more) / graph_.capacity(ArcId(arc));
  }
  /// Of its busiest arc, with a part more.
  [[nodiscard]] double use_with(const TreeDemand::Column& column) const {
    double most = 0;
    for (const auto& [arc, times] : column.loads) most = std::max(most, use(arc, times));
    return most;
  }

  [[nodiscard]] std::size_t roomiest(std::size_t demand) const {
    const std::vector<TreeDemand::Column>& columns = demands_[demand].columns;
    std::size_t best = 0;
    double least = 0;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      const double found = use_with(columns[c]);
      if (c > 0 && found >= least) continue;
      best = c;
      least = found;
    }
    return best;
  }

  /// One part after the other from the busiest arc to trees that stay below what it carries.
  void relieve() {
    for (std::size_t moves = 0; moves < 4 * load_.size() + 64; ++moves) {
      std::uint32_t busiest = 0;
      for (std::uint32_t a = 1; a < load_.size(); ++a) {
        if (use(a, 0) > use(busiest, 0)) busiest = a;
      }
      if (!move_from(busiest)) return;
    }
  }

  bool move_from(std::uint32_t arc) {
    const double now = use(arc, 0);
    for (std::size_t d = 0; d < parts_.size(); ++d) {
      const std::vector<TreeDemand::Column>& columns = demands_[d].columns;
      for (std::size_t c = 0; c < columns.size(); ++c) {
        const auto on = std::lower_bound(columns[c].loads.begin(), columns[c].loads.end(), ArcLoad{arc, 0});
        if (parts_[d][c] == 0 || on == columns[c].loads.end() || on->first != arc) continue;
        carry(columns[c], -1);
        for (std::size_t other = 0; other < columns.size(); ++other) {
          if (other == c || use_with(columns[other]) >= now * (1 - 1e-12)) continue;
          carry(columns[other], 1);
          --parts_[d][c];
          ++parts_[d][other];
          return true;
        }
        carry(columns[c], 1);
      }
    }
    return false;
  }

  const NodeGraph& graph_;
  std::span<const TreeDemand> demands_;
  std::uint64_t copies_;
  std::vector<std::uint64_t> load_;                // by arc
  std::vector<std::vector<std::uint64_t>> parts_;  // by demand, then column
  std::vector<std::uint64_t> left_;                // by demand
};

}  // namespace

TreeBound best_tree_bound(std::span<const BandwidthProblem> groups, const TreeFlow& flow,
                          const std::vector<std::vector<std::uint32_t>>& given) {
  const NodeGraph& graph = *groups.front().graph;
  const bool turn = groups.front().all_reduce && !graph.first_uneven().valid();
  TreeBound best = count_tree_lengths(groups, std::vector<std::uint32_t>(graph.arc_count(), 1));
  const auto offer = [&](const std::vector<std::uint32_t>& length) {
    if (std::all_of(length.begin(), length.end(), [](std::uint32_t one) { return one == 0; })) return;
    TreeBound found = count_tree_lengths(groups, length);
    if (found.time() > best.time()) best = std::move(found);
  };
  for (std::vector<std::uint32_t> length : given) {
    if (turn) {
      const std::vector<std::uint32_t> one_way = length;
      for (const ArcId a : graph.arcs())
        length[a.value] += one_way[graph.find(graph.head(a), graph.tail(a)).value];
    }
    offer(length);
  }
  for (const std::vector<double>& prices : flow.prices) {
    std::vector<double> length = prices;
    if (turn) {
      for (const ArcId a : graph.arcs())
        length[a.value] += prices[graph.find(graph.head(a), graph.tail(a)).value];
    }
    offer(whole_lengths(length));
  }
  return best;
}

namespace {

void try_parts(std::span<const BandwidthProblem> groups, std::span<const TreeDemand> demands,
               const Fraction& least, double gap, WholeTrees& best) {
  std::vector<std::uint64_t> tried(kPartsTried.begin(), kPartsTried.end());
  if (const std::uint64_t own = parts_of(demands); own > 0) tried.insert(tried.begin(), own);
  for (const std::uint64_t copies : tried) {
    WholeTrees made;
    made.forest = Rounding(*groups.front().graph, demands, copies).forest();
    made.verdict = check_forest(groups, made.forest);
    if (!made.verdict.valid())
      throw std::runtime_error("trees by prices do not pass the checker: " + made.verdict.fault);
    if (best.forest.copies == 0 || made.verdict.time < best.verdict.time) best = std::move(made);
    if (best.verdict.time <= least) return;
    if (copies >= kManyParts && best.verdict.time.value() <= least.value() * (1 + gap)) return;
  }
}

}  // namespace

WholeTrees whole_trees(std::span<const BandwidthProblem> groups, const TreeFlow& flow, const Fraction& least,
                       double gap) {
  WholeTrees best;
  if (!flow.before.empty()) try_parts(groups, flow.before, least, gap, best);
  if (best.forest.copies == 0 || best.verdict.time > least) try_parts(groups, flow.demands, least, gap, best);
  return best;
}

}  // namespace unknot
