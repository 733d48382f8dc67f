// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/trees/balanced_trees.hpp"

#include <algorithm>
#include <limits>

#include "unknot/routing/trees/lightest_tree.hpp"
#include "unknot/routing/trees/sibling_uses.hpp"
#include "unknot/routing/trees/table_block.hpp"
#include "unknot/routing/trees/up_down_shape.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

/// State of the construction. Loads are 32 bits wide as long as no sum of loads along a path can overflow;
/// then they are widened, once, and the work goes on.
template <class Entry>
class Builder {
 public:
  Builder(const Network& network, PathDags& dags, const BalanceChoice& choice, Progress& progress)
      : network_(network),
        destinations_(choice.destinations.begin(), choice.destinations.end()),
        cost_(choice.cost),
        siblings_(network),
        progress_(progress),
        dags_(dags),
        block_(network.router_count()),
        pick_(network.router_count()),
        sources_(network.router_count()),
        below_(network.router_count()) {
    narrow_.load.assign(network.channel_count() + PathDag::kPadding, 0);
    narrow_.distance.assign(network.router_count() + PathDag::kPadding, 0);
    if (destinations_.empty()) destinations_.assign(network.terminals().begin(), network.terminals().end());
    for (const RouterId r : network.routers()) {
      sources_[r.value] = network.terminals_at(r).size();
      first_out_.push_back(network.out(r).first());
    }
  }

  BalancedTrees run(double passes, std::optional<double> up_down_passes) {
    BalancedTrees result;
    result.table = ForwardingTable(network_);
    UpDownShape shape(network_);
    const std::uint32_t terminals = network_.terminal_count();
    auto rebuilt = static_cast<std::uint64_t>(passes * terminals);
    progress_.begin("trees", terminals + rebuilt);
    for (std::uint64_t pass = 0; pass * terminals < terminals + rebuilt; ++pass) {
      const auto stop = static_cast<std::uint32_t>(
          std::min<std::uint64_t>(terminals, terminals + rebuilt - pass * terminals));
      // A block holds whole destination routers where they fit; a larger router spans several blocks.
      std::uint32_t begin = 0;
      RouterId built;
      while (begin < stop) {
        const std::uint32_t end = std::min(stop, block_end(begin));
        const std::span<const TerminalId> here = std::span(destinations_).subspan(begin, end - begin);
        if (pass == 0) {
          block_.clear(end - begin);
        } else {
          block_.load(result.table, here);
        }
        for (std::uint32_t d = begin; d < end; ++d) {
          const RouterId root = network_.router_of(destinations_[d]);
          if (root != built) {
            dag_ = &dags_.towards(root);
            built = root;
            if (pass == 0) shape.look_at(*dag_);
          }
          siblings_.begin(destinations_[d]);
          again_ = network_.further_address(destinations_[d]);
          Entry* column = block_.column(d - begin);
          if (pass > 0) remove_tree(column);
          add_tree(column);
        }
        block_.store(result.table, here);
        begin = end;
        if (progress_.interrupted()) throw Interrupted();
        progress_.update(pass * terminals + end);
      }
      if (pass == 0 && up_down_passes && shape.up_down()) {
        rebuilt = static_cast<std::uint64_t>(*up_down_passes * terminals);
        progress_.begin("trees", terminals + rebuilt);
      }
    }
    result.up_down = shape.up_down();
    if (wide_.load.empty()) {
      result.load.assign(narrow_.load.begin(), narrow_.load.end() - PathDag::kPadding);
    } else {
      result.load.assign(wide_.load.begin(), wide_.load.end() - PathDag::kPadding);
    }
    return result;
  }

 private:
  template <class Weight>
  struct Loads {
    std::vector<Weight> load;      // by channel
    std::vector<Weight> distance;  // by router
  };

  [[nodiscard]] std::uint32_t block_end(std::uint32_t begin) const {
    const std::uint32_t most = std::min(begin + TableBlock<Entry>::kColumns, network_.terminal_count());
    if (most == network_.terminal_count()) return most;
    const RouterId next = network_.router_of(destinations_[most]);
    std::uint32_t first = most;  // of that router's terminals
    while (first > begin && network_.router_of(destinations_[first - 1]) == next) --first;
    return first > begin ? first : most;
  }

  static constexpr std::uint64_t kMostCost = 1024;  // of a channel: the fastest rate over the slowest

  void add_tree(Entry* column) {
    if (!cost_.empty() || again_) return add_priced_tree(column);
    if (wide_.load.empty() && !fits_narrow()) widen();
    const auto one = [](std::uint32_t /*channel*/) { return std::uint32_t{1}; };
    if (wide_.load.empty()) {
      lightest_tree(*dag_, narrow_.load.data(), narrow_.distance.data(), pick_.data());
      count_tree(column, narrow_.load.data(), one);
    } else {
      lightest_tree(*dag_, wide_.load.data(), wide_.distance.data(), pick_.data());
      count_tree(column, wide_.load.data(), one);
    }
    column[dag_->root] = ForwardingTable::here<Entry>;
  }

  /// Where channels have costs, a tree goes by the loads that it would leave behind: a slow cable without any
  /// load is no better than a fast one with half of what the tree adds. One towards a further address of a
  /// port takes the fewest channels that lead to its others, then goes by loads.
  void add_priced_tree(Entry* column) {
    if (wide_.load.empty()) widen();
    const bool costs = !cost_.empty();
    if (costs && priced_ != dag_->root) expect_flows();
    price_.resize(wide_.load.size());
    const std::uint64_t most_expected = costs ? kMostCost * network_.terminal_count() : 0;
    const std::uint64_t more_than_any_path = (heaviest_ + most_expected + 1) * (dag_->depth + 1ULL);
    for (std::uint32_t i = 0; i < dag_->positions(); ++i) {
      for (std::uint32_t c = dag_->first[i]; c < dag_->first[i + 1]; ++c) {
        const std::uint32_t channel = dag_->channel[c];
        price_[channel] = wide_.load[channel] + siblings_.of(channel) * more_than_any_path;
        if (costs) price_[channel] += static_cast<std::uint64_t>(cost_[channel] * expected_[dag_->order[i]]);
      }
    }
    lightest_tree(*dag_, price_.data(), wide_.distance.data(), pick_.data());
    count_tree(column, wide_.load.data(), [&](std::uint32_t channel) {
      return costs ? std::uint64_t{cost_[channel]} : std::uint64_t{1};
    });
    column[dag_->root] = ForwardingTable::here<Entry>;
  }

  /// By router: terminals whose packets would pass, if each router sent equal parts over all its candidates.
  void expect_flows() {
    priced_ = dag_->root;
    expected_.assign(sources_.begin(), sources_.end());
    for (std::uint32_t i = dag_->positions(); i-- > 0;) {
      const std::uint32_t count = dag_->first[i + 1] - dag_->first[i];
      for (std::uint32_t c = dag_->first[i]; c < dag_->first[i + 1]; ++c)
        expected_[dag_->to[c]] += expected_[dag_->order[i]] / count;
    }
  }

  template <class Weight, class Cost>
  void count_tree(Entry* column, Weight* load, const Cost& cost) {
    // Local pointers: a store to `column` could otherwise be one to any of this object's members.
    const std::uint32_t* const order = dag_->order.data();
    const std::uint32_t* const channels = dag_->channel.data();
    const std::uint32_t* const to = dag_->to.data();
    const std::uint32_t* const pick = pick_.data();
    const std::uint32_t* const first_out = first_out_.data();
    std::uint32_t* const below = below_.data();
    std::copy(sources_.begin(), sources_.end(), below);
    const bool mark = siblings_.any();
    Weight heaviest = 0;
    for (std::uint32_t i = dag_->positions(); i-- > 0;) {
      const std::uint32_t router = order[i];
      const std::uint32_t channel = channels[pick[i]];
      const std::uint32_t count = below[router];
      below[to[pick[i]]] += count;
      load[channel] += count * cost(channel);
      heaviest = std::max(heaviest, load[channel]);
      if (mark) siblings_.take(channel);
      column[router] = static_cast<Entry>(channel - first_out[router]);
    }
    heaviest_ = std::max<std::uint64_t>(heaviest_, heaviest);
  }

  void remove_tree(const Entry* column) {
    std::copy(sources_.begin(), sources_.end(), below_.begin());
    for (std::uint32_t i = dag_->positions(); i-- > 0;) {
      const std::uint32_t router = dag_->order[i];
      const std::uint32_t channel = first_out_[router] + column[router];
      const std::uint32_t count = below_[router];
      below_[network_.target(ChannelId(channel)).value] += count;
      const std::uint64_t load = std::uint64_t{count} * (cost_.empty() ? 1 : cost_[channel]);
      if (wide_.load.empty()) {
        narrow_.load[channel] -= static_cast<std::uint32_t>(load);
      } else {
        wide_.load[channel] -= load;
      }
    }
  }

  /// No path sum of the next tree can reach 2^32.
  [[nodiscard]] bool fits_narrow() const {
    return (heaviest_ + 1) * (dag_->depth + 1ULL) < std::numeric_limits<std::uint32_t>::max() &&
           heaviest_ + network_.terminal_count() < std::numeric_limits<std::uint32_t>::max();
  }

  void widen() {
    wide_.load.assign(narrow_.load.begin(), narrow_.load.end());
    wide_.distance.assign(narrow_.distance.size(), 0);
    narrow_ = {};
  }

  const Network& network_;
  std::vector<TerminalId> destinations_;
  std::span<const std::uint32_t> cost_;  // by channel; empty: 1 each
  SiblingUses siblings_;
  bool again_ = false;  // the destination is a further address of the one before it
  Progress& progress_;
  PathDags& dags_;
  const PathDag* dag_ = nullptr;  // of the destination at hand
  TableBlock<Entry> block_;
  Loads<std::uint32_t> narrow_;
  Loads<std::uint64_t> wide_;
  std::uint64_t heaviest_ = 0;        // largest load ever seen: loads only grow, but for rebuilt trees
  std::vector<std::uint64_t> price_;  // by channel, where there are costs
  std::vector<double> expected_;      // by router, of the root priced_
  std::uint32_t priced_ = PathDags::kUnreached;
  std::vector<std::uint32_t> pick_;       // by position: candidate
  std::vector<std::uint32_t> sources_;    // by router: terminals
  std::vector<std::uint32_t> below_;      // by router: terminals in its subtree
  std::vector<std::uint32_t> first_out_;  // by router: first outgoing channel
};

}  // namespace

BalancedTrees balanced_trees(const Network& network, PathDags& dags, double passes, Progress& progress,
                             std::optional<double> up_down_passes, const BalanceChoice& choice) {
  return ForwardingTable::width_for(network) == 1
             ? Builder<std::uint8_t>(network, dags, choice, progress).run(passes, up_down_passes)
             : Builder<std::uint16_t>(network, dags, choice, progress).run(passes, up_down_passes);
}

Parameter passes_parameter(const std::string& fallback) {
  return {.name = "passes",
          .kind = ParameterKind::real,
          .help = "share of the trees that are rebuilt against all others, earliest first; 0 as published",
          .fallback = fallback,
          .max = 1000};
}

}  // namespace unknot
