// SPDX-License-Identifier: Apache-2.0
#include "unknot/collective/priced/tree_flow.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "unknot/collective/priced/cheapest_trees.hpp"
#include "unknot/collective/priced/tree_program.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kMostPasses = 800;
constexpr double kFirstSharpness = 8, kSharper = 1.01, kMostSharpness = 900;
constexpr std::uint32_t kProvingEach = 4;  ///< passes
constexpr std::uint32_t kMoves = 8;        ///< of a demand in a pass
constexpr int kHalvings = 12;
constexpr std::size_t kMostKept = 64;  ///< trees of a demand, beyond which unused ones are forgotten
constexpr double kFloor = 1e-6;        ///< of the price of the busiest arc: ways that cost nothing wander
constexpr double kLeastAmount = 1e-4;  ///< of a demand: trees that carry less are dropped
constexpr std::uint32_t kMostGenerated = 60;
constexpr double kNothing = 1e-9;

std::vector<TreeDemand> demands_of(std::span<const BandwidthProblem> groups) {
  std::vector<TreeDemand> demands;
  for (std::uint32_t g = 0; g < groups.size(); ++g) {
    const BandwidthProblem& problem = groups[g];
    if (problem.all_reduce) {
      demands.push_back({g, NodeId(), problem.all_shares, {}});
      continue;
    }
    for (const NodeId n : problem.members) {
      if (problem.shares[n.value] > 0) demands.push_back({g, n, problem.shares[n.value], {}});
    }
  }
  return demands;
}

class Packing {
 public:
  Packing(std::span<const BandwidthProblem> groups, const TreeFlowOptions& options, Progress& progress)
      : graph_(*groups.front().graph),
        options_(options),
        progress_(progress),
        demands_(demands_of(groups)),
        load_(graph_.arc_count(), 0),
        prices_(graph_.arc_count(), 0),
        change_(graph_.arc_count(), 0),
        found_(demands_.size()) {
    for (const TreeDemand& demand : demands_) {
      while (first_demand_.size() <= demand.group)
        first_demand_.push_back(static_cast<std::uint32_t>(&demand - demands_.data()));
    }
    first_demand_.push_back(static_cast<std::uint32_t>(demands_.size()));
    for (const BandwidthProblem& group : groups) {
      trees_.push_back(std::make_unique<CheapestTrees>(group));
      cheapest_ = cheapest_ && !group.branch_outward() && !group.branch_inward();
    }
  }

  TreeFlow run() {
    begin();
    progress_.begin("trees by prices", kMostPasses);
    double sharpness = kFirstSharpness;
    for (std::uint32_t pass = 0; pass < kMostPasses && !near(); ++pass) {
      if (progress_.interrupted()) throw Interrupted();
      improve(sharpness, trees_.size() == 1 || pass % kProvingEach == 0);
      sharpness = std::min(sharpness * kSharper, kMostSharpness);
      progress_.update(pass + 1);
    }
    TreeFlow flow;
    if (program_is_small(graph_, demands_)) {
      flow.before = demands_;
      drop_small(flow.before);
      generate(flow);
    }
    if (!best_prices_.empty()) flow.prices.push_back(best_prices_);
    drop_small(demands_);
    count_loads();
    flow.time = busiest();
    flow.demands = std::move(demands_);
    return flow;
  }

 private:
  void begin() {
    std::vector<double> prices(graph_.arc_count());
    for (const ArcId a : graph_.arcs()) prices[a.value] = 1.0 / graph_.capacity(a);
    find_trees(prices);
    for (std::size_t d = 0; d < demands_.size(); ++d) {
      add_column(demands_[d], std::move(found_[d].tree)).amount = static_cast<double>(demands_[d].shares);
      for (const auto& [arc, times] : demands_[d].columns.front().loads)
        load_[arc] += times * static_cast<double>(demands_[d].shares);
    }
  }

  [[nodiscard]] double busiest() const {
    double most = 0;
    for (const ArcId a : graph_.arcs()) most = std::max(most, load_[a.value] / graph_.capacity(a));
    return most;
  }

  [[nodiscard]] bool exact() const { return busiest() <= std::max(bound_, options_.enough) * (1 + kNothing); }
  [[nodiscard]] bool near() const {
    const double time = busiest();
    return time <= bound_ * (1 + options_.gap) || time <= options_.enough * (1 + kNothing);
  }

  /// The cheapest tree of each demand of a group.
  void find_trees_of(std::uint32_t group, const std::vector<double>& prices) {
    trees_[group]->set_prices(prices, options_.threads);
    const std::uint32_t first = first_demand_[group];
    parallel_blocks(first_demand_[group + 1] - first, 1, options_.threads,
                    [&](std::uint32_t, std::uint32_t i, std::uint32_t) {
                      const std::uint32_t d = first + i;
                      const CheapestTrees& trees = *trees_[group];
                      found_[d] =
                          demands_[d].root.valid() ? trees.from(demands_[d].root) : trees.there_and_back();
                    });
  }

  /// Of all, and what prices prove by them.
  void find_trees(const std::vector<double>& prices) {
    for (std::uint32_t g = 0; g < trees_.size(); ++g) find_trees_of(g, prices);
    double cost = 0, room = 0;
    for (std::size_t d = 0; d < demands_.size(); ++d)
      cost += found_[d].cost * static_cast<double>(demands_[d].shares);
    for (const ArcId a : graph_.arcs()) room += prices[a.value] * graph_.capacity(a);
    if (!cheapest_ || cost / room <= bound_) return;
    bound_ = cost / room;
    best_prices_ = prices;
  }

  TreeDemand::Column& add_column(TreeDemand& demand, PricedTree tree) {
    std::vector<ArcLoad> loads = loads_of(graph_, tree);
    const auto same = std::find_if(demand.columns.begin(), demand.columns.end(),
                                   [&](const auto& c) { return c.loads == loads && c.tree == tree; });
    if (same != demand.columns.end()) return *same;
    demand.columns.push_back({std::move(tree), std::move(loads), 0});
    return demand.columns.back();
  }

  /// One pass over all demands. `proves`: all at the same prices, so that the bound is known after it.
  void improve(double sharpness, bool proves) {
    sharpness_ = sharpness;
    most_ = busiest();
    for (const ArcId a : graph_.arcs()) prices_[a.value] = price(a.value, load_[a.value]);
    if (proves) find_trees(std::vector<double>(prices_));
    for (std::uint32_t g = 0; g < trees_.size(); ++g) {
      if (!proves) find_trees_of(g, prices_);
      for (std::uint32_t d = first_demand_[g]; d < first_demand_[g + 1]; ++d) {
        add_column(demands_[d], std::move(found_[d].tree));
        move_to_cheapest(demands_[d]);
      }
    }
    if (proves) forget_unused();
  }

  [[nodiscard]] double price(std::uint32_t arc, double load) const {
    const double capacity = graph_.capacity(ArcId(arc));
    return (std::exp(sharpness_ * (load / (capacity * most_) - 1)) + kFloor) / capacity;
  }

  [[nodiscard]] double cost_of(const TreeDemand::Column& column) const {
    double cost = 0;
    for (const auto& [arc, times] : column.loads) cost += times * prices_[arc];
    return cost;
  }

  /// From the dearest tree in use to the cheapest that is known, as far as the sum of prices falls.
  void move_to_cheapest(TreeDemand& demand) {
    for (std::uint32_t turn = 0; turn < kMoves; ++turn) {
      TreeDemand::Column *cheap = nullptr, *dear = nullptr;
      double least = 0, most = 0;
      for (TreeDemand::Column& column : demand.columns) {
        const double cost = cost_of(column);
        if (cheap == nullptr || cost < least) {
          cheap = &column;
          least = cost;
        }
        if (column.amount > 0 && (dear == nullptr || cost > most)) {
          dear = &column;
          most = cost;
        }
      }
      if (dear == nullptr || dear == cheap || most <= least * (1 + kNothing)) return;
      move(*dear, *cheap);
    }
  }

  void move(TreeDemand::Column& from, TreeDemand::Column& to) {
    touched_.clear();
    for (const auto& [arc, times] : to.loads) {
      touched_.push_back(arc);
      change_[arc] += times;
    }
    for (const auto& [arc, times] : from.loads) {
      touched_.push_back(arc);
      change_[arc] -= times;
    }
    std::sort(touched_.begin(), touched_.end());
    touched_.erase(std::unique(touched_.begin(), touched_.end()), touched_.end());
    std::erase_if(touched_, [&](std::uint32_t arc) { return change_[arc] == 0; });
    const auto slope = [&](double amount) {
      double all = 0;
      for (const std::uint32_t arc : touched_)
        all += change_[arc] * price(arc, load_[arc] + amount * change_[arc]);
      return all;
    };
    double amount = 0;
    if (slope(from.amount) <= 0) {
      amount = from.amount;
    } else {
      double part = from.amount / 2;
      for (int halving = 0; halving < kHalvings; ++halving, part /= 2) {
        if (slope(amount + part) < 0) amount += part;
      }
    }
    for (const std::uint32_t arc : touched_) {
      load_[arc] += amount * change_[arc];
      prices_[arc] = price(arc, load_[arc]);
      change_[arc] = 0;
    }
    to.amount += amount;
    from.amount = amount == from.amount ? 0 : from.amount - amount;
  }

  void forget_unused() {
    for (TreeDemand& demand : demands_) {
      if (demand.columns.size() <= kMostKept) continue;
      std::erase_if(demand.columns, [](const TreeDemand::Column& column) { return column.amount == 0; });
    }
  }

  void count_loads() {
    std::fill(load_.begin(), load_.end(), 0);
    for (const TreeDemand& demand : demands_) {
      for (const TreeDemand::Column& column : demand.columns) {
        for (const auto& [arc, times] : column.loads) load_[arc] += times * column.amount;
      }
    }
  }

  /// The program of the trees that are known, and those that its prices find cheaper.
  void generate(TreeFlow& flow) {
    for (std::uint32_t round = 0; round < kMostGenerated && program_is_small(graph_, demands_); ++round) {
      if (progress_.interrupted()) throw Interrupted();
      std::vector<double> prices = solve_tree_program(graph_, demands_);
      if (prices.empty()) return;
      count_loads();
      double most = 0;
      for (const double one : prices) most = std::max(most, one);
      flow.prices.assign(1, prices);
      for (double& one : prices) one += kFloor * most;
      find_trees(prices);
      if (exact()) return;
      std::size_t before = 0, after = 0;
      for (std::size_t d = 0; d < demands_.size(); ++d) {
        before += demands_[d].columns.size();
        add_column(demands_[d], std::move(found_[d].tree));
        after += demands_[d].columns.size();
      }
      if (before == after) return;
    }
  }

  static void drop_small(std::vector<TreeDemand>& demands) {
    for (TreeDemand& demand : demands) {
      const double least = kLeastAmount * static_cast<double>(demand.shares);
      std::erase_if(demand.columns, [&](const auto& column) { return column.amount < least; });
      double all = 0;
      for (const TreeDemand::Column& column : demand.columns) all += column.amount;
      for (TreeDemand::Column& column : demand.columns)
        column.amount *= static_cast<double>(demand.shares) / all;
    }
  }

  const NodeGraph& graph_;
  const TreeFlowOptions& options_;
  Progress& progress_;
  std::vector<TreeDemand> demands_;
  std::vector<std::unique_ptr<CheapestTrees>> trees_;  // by group
  std::vector<double> load_;                           // by arc: shares
  std::vector<double> prices_;                         // by arc, at the load that it has
  std::vector<double> change_;                         // by arc, scratch
  std::vector<std::uint32_t> touched_;                 // scratch
  double sharpness_ = 0, most_ = 0;                    // of prices, in this pass
  std::vector<std::uint32_t> first_demand_;            // by group, and one more
  std::vector<CheapestTrees::Found> found_;            // by demand
  bool cheapest_ = true;                               // trees found are, so that prices prove something
  double bound_ = 0;                                   // on the time, by the best prices
  std::vector<double> best_prices_;
};

}  // namespace

TreeFlow pack_trees(std::span<const BandwidthProblem> groups, const TreeFlowOptions& options,
                    Progress& progress) {
  return Packing(groups, options, progress).run();
}

}  // namespace unknot
