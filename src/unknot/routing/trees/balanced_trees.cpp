// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/trees/balanced_trees.hpp"

#include <algorithm>
#include <limits>

#include "unknot/routing/trees/lightest_tree.hpp"
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
  Builder(const Network& network, PathDags& dags, Progress& progress)
      : network_(network),
        progress_(progress),
        dags_(dags),
        block_(network.router_count()),
        pick_(network.router_count()),
        sources_(network.router_count()),
        below_(network.router_count()) {
    narrow_.load.assign(network.channel_count() + PathDag::kPadding, 0);
    narrow_.distance.assign(network.router_count() + PathDag::kPadding, 0);
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
        if (pass == 0) {
          block_.clear(end - begin);
        } else {
          block_.load(result.table, begin, end);
        }
        for (std::uint32_t d = begin; d < end; ++d) {
          const RouterId root = network_.router_of(TerminalId(d));
          if (root != built) {
            dag_ = &dags_.towards(root);
            built = root;
            if (pass == 0) shape.look_at(*dag_);
          }
          Entry* column = block_.column(d - begin);
          if (pass > 0) remove_tree(column);
          add_tree(column);
        }
        block_.store(result.table, begin, end);
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
    const RouterId last = network_.router_of(TerminalId(most - 1));
    const IdRange<TerminalId> there = network_.terminals_at(last);
    return there.last() > most && there.first() > begin ? there.first() : most;
  }

  void add_tree(Entry* column) {
    if (wide_.load.empty() && !fits_narrow()) widen();
    if (wide_.load.empty()) {
      lightest_tree(*dag_, narrow_.load.data(), narrow_.distance.data(), pick_.data());
      count_tree(column, narrow_.load.data());
    } else {
      lightest_tree(*dag_, wide_.load.data(), wide_.distance.data(), pick_.data());
      count_tree(column, wide_.load.data());
    }
    column[dag_->root] = ForwardingTable::here<Entry>;
  }

  template <class Weight>
  void count_tree(Entry* column, Weight* load) {
    // Local pointers: a store to `column` could otherwise be one to any of this object's members.
    const std::uint32_t* const order = dag_->order.data();
    const std::uint32_t* const channels = dag_->channel.data();
    const std::uint32_t* const to = dag_->to.data();
    const std::uint32_t* const pick = pick_.data();
    const std::uint32_t* const first_out = first_out_.data();
    std::uint32_t* const below = below_.data();
    std::copy(sources_.begin(), sources_.end(), below);
    Weight heaviest = 0;
    for (std::uint32_t i = dag_->positions(); i-- > 0;) {
      const std::uint32_t router = order[i];
      const std::uint32_t channel = channels[pick[i]];
      const std::uint32_t count = below[router];
      below[to[pick[i]]] += count;
      load[channel] += count;
      heaviest = std::max(heaviest, load[channel]);
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
      if (wide_.load.empty()) {
        narrow_.load[channel] -= count;
      } else {
        wide_.load[channel] -= count;
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
  Progress& progress_;
  PathDags& dags_;
  const PathDag* dag_ = nullptr;  // of the destination at hand
  TableBlock<Entry> block_;
  Loads<std::uint32_t> narrow_;
  Loads<std::uint64_t> wide_;
  std::uint64_t heaviest_ = 0;            // largest load ever seen: loads only grow, but for rebuilt trees
  std::vector<std::uint32_t> pick_;       // by position: candidate
  std::vector<std::uint32_t> sources_;    // by router: terminals
  std::vector<std::uint32_t> below_;      // by router: terminals in its subtree
  std::vector<std::uint32_t> first_out_;  // by router: first outgoing channel
};

}  // namespace

BalancedTrees balanced_trees(const Network& network, PathDags& dags, double passes, Progress& progress,
                             std::optional<double> up_down_passes) {
  return ForwardingTable::width_for(network) == 1
             ? Builder<std::uint8_t>(network, dags, progress).run(passes, up_down_passes)
             : Builder<std::uint16_t>(network, dags, progress).run(passes, up_down_passes);
}

Parameter passes_parameter(const std::string& fallback) {
  return {.name = "passes",
          .kind = ParameterKind::real,
          .help = "share of the trees that are rebuilt against all others, earliest first; 0 as published",
          .fallback = fallback,
          .max = 1000};
}

}  // namespace unknot
