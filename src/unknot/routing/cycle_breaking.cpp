// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/cycle_breaking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <numeric>
#include <utility>

#include "unknot/routing/catalogue.hpp"
#include "unknot/routing/row_match.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;
constexpr std::uint32_t kWord = 64;  // bits

/// Entry: of the table. Count: holds the number of terminals.
template <class Entry, class Count>
class CycleBreaker {
 public:
  CycleBreaker(const Network& network, PathDags& dags, const ForwardingTable& table, BreakRule rule,
               Progress& progress)
      : network_(network),
        dags_(dags),
        table_(table),
        rule_(rule),
        progress_(progress),
        routers_(network.router_count()),
        terminals_(network.terminal_count()) {
    std::size_t level_row = 0;
    for (const RouterId r : network.routers()) {
      first_out_.push_back(network.out(r).first());
      first_in_.push_back(static_cast<std::uint32_t>(incoming_.size()));
      for (const ChannelId c : network.in(r)) {
        const std::uint32_t from = network.source(c).value;
        incoming_.push_back(
            {from, static_cast<Entry>(c.value - network.out(RouterId(from)).first()), c.value});
      }
      sources_.push_back(network.terminals_at(r).size());
      level_row_.push_back(level_row);
      if (sources_.back() > 0) level_row += terminals_;
    }
    first_in_.push_back(static_cast<std::uint32_t>(incoming_.size()));
    std::uint32_t dependencies = 0;
    for (const ChannelId c : network.channels()) {
      source_.push_back(network.source(c).value);
      target_.push_back(network.target(c).value);
      first_dependency_.push_back(dependencies);
      dependencies += network.out(network.target(c)).size();
    }
    first_dependency_.push_back(dependencies);
    weight_.assign(dependencies, 0);
    next_weight_.assign(dependencies, 0);
    present_.assign(dependencies / kWord + 1, 0);
    next_present_.assign(dependencies / kWord + 1, 0);
    colour_.assign(network.channel_count(), Colour::white);
    cursor_.assign(network.channel_count(), 0);
    stack_position_.assign(network.channel_count(), kNowhere);
    const std::size_t cells = std::size_t{terminals_} * routers_;
    column_.resize(cells);
    below_.assign(cells, 0);
  }

  LaneAssignment run(std::uint32_t most_lanes) {
    LaneAssignment result;
    count_first_lane();
    for (std::uint32_t lane = 0;; ++lane) {
      lane_ = lane;
      moved_paths_ = 0;
      clear_cycles(result);
      result.lane_paths.push_back(lane_paths_ - moved_paths_);
      result.lane_dependencies.push_back(present_);
      result.lanes = lane + 1;
      if (moved_paths_ == 0) break;
      if (result.lanes == most_lanes) {
        throw RoutingFailure(fmt::format("more than {} virtual lanes are needed", most_lanes));
      }
      lane_paths_ = moved_paths_;
      weight_.swap(next_weight_);
      present_.swap(next_present_);
      below_.swap(next_below_);
      std::fill(next_weight_.begin(), next_weight_.end(), 0);
      std::fill(next_present_.begin(), next_present_.end(), 0);
      std::fill(next_below_.begin(), next_below_.end(), Count{0});
    }
    return result;
  }

 private:
  enum class Colour : std::uint8_t { white, grey, black };
  struct Incoming {
    std::uint32_t from;
    Entry entry;  // of the channel at its source router
    std::uint32_t channel;
  };

  [[nodiscard]] std::uint32_t channel_of(std::size_t cell_row, std::uint32_t router) const {
    return first_out_[router] + column_[cell_row + router];
  }

  /// Turns the table destination-major, counts each subtree's terminals and weighs each dependency.
  void count_first_lane() {
    const Entry* entries = table_.entries<Entry>().data();
    constexpr std::uint32_t kTile = 64;
    for (std::uint32_t d0 = 0; d0 < terminals_; d0 += kTile) {
      const std::uint32_t d1 = std::min(terminals_, d0 + kTile);
      for (std::uint32_t r = 0; r < routers_; ++r) {
        for (std::uint32_t d = d0; d < d1; ++d) {
          column_[std::size_t{d} * routers_ + r] = entries[std::size_t{r} * terminals_ + d];
        }
      }
    }
    for (const RouterId root : network_.routers()) {
      const IdRange<TerminalId> here = network_.terminals_at(root);
      if (here.empty()) continue;
      const PathDag& dag = dags_.towards(root);
      std::uint64_t sources = 0;
      for (const std::uint32_t router : dag.order) sources += sources_[router];
      lane_paths_ += sources * here.size();
      for (std::uint32_t d = here.first(); d < here.last(); ++d) {
        const std::size_t row = std::size_t{d} * routers_;
        Count* below = below_.data() + row;
        for (std::uint32_t i = dag.positions(); i-- > 0;) {
          const std::uint32_t router = dag.order[i];
          const Count count = static_cast<Count>(below[router] + sources_[router]);
          below[router] = count;
          const std::uint32_t channel = channel_of(row, router);
          const std::uint32_t next = target_[channel];
          if (next == root.value) continue;
          below[next] = static_cast<Count>(below[next] + count);
          const std::uint32_t dependency = first_dependency_[channel] + column_[row + next];
          weight_[dependency] += count;
          present_[dependency / kWord] |= std::uint64_t{count != 0} << (dependency % kWord);
        }
      }
    }
  }

  /// First dependency from `at` on, below `end`, that has paths in the lane; `end` if there is none.
  [[nodiscard]] std::uint32_t next_present(std::uint32_t at, std::uint32_t end) const {
    if (at >= end) return end;
    std::uint32_t word = at / kWord;
    std::uint64_t bits = present_[word] & ~std::uint64_t{0} << (at % kWord);
    while (bits == 0) {
      if (++word * kWord >= end) return end;
      bits = present_[word];
    }
    return std::min(end, word * kWord + static_cast<std::uint32_t>(std::countr_zero(bits)));
  }

  /// Removes every cycle of the current lane.
  void clear_cycles(LaneAssignment& result) {
    std::fill(colour_.begin(), colour_.end(), Colour::white);
    std::fill(cursor_.begin(), cursor_.end(), 0);
    const auto channels = static_cast<std::uint32_t>(colour_.size());
    progress_.begin("lanes", channels);
    for (std::uint32_t start = 0; start < channels; ++start) {
      if (colour_[start] != Colour::white) continue;
      if (progress_.interrupted()) throw Interrupted();
      progress_.update(start);
      push(start);
      while (!stack_.empty()) advance(result);
    }
  }

  void push(std::uint32_t channel) {
    // The cursor stays where an earlier visit left it: what lies before is finished or has vanished.
    colour_[channel] = Colour::grey;
    stack_position_[channel] = static_cast<std::uint32_t>(stack_.size());
    stack_.push_back(channel);
  }

  void pop(Colour colour) {
    const std::uint32_t channel = stack_.back();
    colour_[channel] = colour;
    stack_position_[channel] = kNowhere;
    stack_.pop_back();
    if (!edge_.empty()) edge_.pop_back();
  }

  /// One step of the depth-first search from the top of the stack.
  void advance(LaneAssignment& result) {
    const std::uint32_t top = stack_.back();
    const std::uint32_t first = first_dependency_[top];
    const std::uint32_t end = first_dependency_[top + 1];
    std::uint32_t& cursor = cursor_[top];
    cursor = next_present(first + cursor, end) - first;
    if (first + cursor == end) {
      pop(Colour::black);
      return;
    }
    const std::uint32_t next = first_out_[target_[top]] + cursor;
    if (colour_[next] == Colour::white) {
      edge_.push_back(first_dependency_[top] + cursor);
      ++cursor;
      push(next);
    } else if (colour_[next] == Colour::black) {
      ++cursor;
    } else {
      // The cursor stays: the closing dependency may survive.
      break_cycle(stack_position_[next], first_dependency_[top] + cursor, result);
    }
  }

  /// The cycle is stack_[begin ..], closed by the dependency `closing` of the top on stack_[begin].
  void break_cycle(std::uint32_t begin, std::uint32_t closing, LaneAssignment& result) {
    const auto top = static_cast<std::uint32_t>(stack_.size() - 1);
    // For the length of this call the cycle is edge_[begin ..]; ties go to the first on the cycle.
    edge_.push_back(closing);
    std::uint32_t weakest = begin;
    std::uint32_t heaviest = begin;
    for (std::uint32_t i = begin + 1; i <= top; ++i) {
      const std::uint64_t weight = weight_[edge_[i]];
      if (weight < weight_[edge_[weakest]]) weakest = i;
      if (weight > weight_[edge_[heaviest]]) heaviest = i;
    }
    std::uint32_t chosen = weakest;
    if (rule_ == BreakRule::heaviest) chosen = heaviest;
    if (rule_ == BreakRule::first) chosen = begin;
    if (rule_ == BreakRule::closing) chosen = top;
    // Moving all that is left would move the cycle with it, for ever.
    if (weight_[edge_[chosen]] == lane_paths_ - moved_paths_) chosen = weakest;
    edge_.pop_back();

    vanished_ = kNowhere;
    move_dependency(stack_[chosen], stack_[chosen < top ? chosen + 1 : begin], result);
    while (vanished_ != kNowhere && stack_.size() > vanished_ + 1) {
      pop(Colour::white);
      --cursor_[stack_.back()];  // back to the dependency that led to the popped channel
    }
  }

  /// Moves every path of the lane that goes from channel a into channel b to the next lane.
  void move_dependency(std::uint32_t a, std::uint32_t b, LaneAssignment& result) {
    const std::uint32_t tail = source_[a];
    const std::uint32_t middle = target_[a];
    const auto entry_a = static_cast<Entry>(a - first_out_[tail]);
    const auto entry_b = static_cast<Entry>(b - first_out_[middle]);
    const Entry* row_a = table_.entries<Entry>().data() + std::size_t{tail} * terminals_;
    const Entry* row_b = table_.entries<Entry>().data() + std::size_t{middle} * terminals_;
    if (result.levels.empty()) {
      result.levels = ServiceLevels(network_, ServiceLevels::Rows::by_router);
      levels_ = result.levels.row(0).data();
      next_below_.assign(below_.size(), 0);
    }
    matches_.clear();
    match_rows(row_a, entry_a, row_b, entry_b, terminals_, matches_);
    for (const std::uint32_t d : matches_) {
      if (below_[std::size_t{d} * routers_ + tail] > 0) move_subtree(d, tail);
    }
  }

  /// Moves the lane's paths to destination d that come from `top` or pass it.
  void move_subtree(std::uint32_t d, std::uint32_t top) {
    const std::size_t row = std::size_t{d} * routers_;
    const Count moved = below_[row + top];
    moved_paths_ += moved;
    // Towards the destination.
    std::uint32_t channel = channel_of(row, top);
    for (std::uint32_t next = target_[channel]; column_[row + next] != ForwardingTable::here<Entry>;) {
      shift(channel, first_dependency_[channel] + column_[row + next], moved);
      below_[row + next] = static_cast<Count>(below_[row + next] - moved);
      next_below_[row + next] = static_cast<Count>(next_below_[row + next] + moved);
      channel = channel_of(row, next);
      next = target_[channel];
    }
    // Away from it.
    walk_.assign(1, top);
    while (!walk_.empty()) {
      const std::uint32_t router = walk_.back();
      walk_.pop_back();
      std::uint32_t further = below_[row + router];  // paths that come from other routers
      next_below_[row + router] = static_cast<Count>(next_below_[row + router] + further);
      below_[row + router] = 0;
      if (sources_[router] > 0) {
        std::uint8_t& level = levels_[level_row_[router] + d];
        if (level == lane_) {
          level = static_cast<std::uint8_t>(lane_ + 1);
          further -= sources_[router];
        }
      }
      for (std::uint32_t i = first_in_[router]; further > 0; ++i) {
        const Incoming& in = incoming_[i];
        const Count count = below_[row + in.from];
        if (count == 0 || column_[row + in.from] != in.entry) continue;
        further -= count;
        shift(in.channel, first_dependency_[in.channel] + column_[row + router], count);
        walk_.push_back(in.from);
      }
    }
  }

  /// Takes `count` paths of a dependency out of this lane and into the next; notes where the stack is cut.
  void shift(std::uint32_t channel, std::uint32_t dependency_index, std::uint64_t count) {
    weight_[dependency_index] -= count;
    next_weight_[dependency_index] += count;
    next_present_[dependency_index / kWord] |= std::uint64_t{1} << (dependency_index % kWord);
    if (weight_[dependency_index] != 0) return;
    present_[dependency_index / kWord] &= ~(std::uint64_t{1} << (dependency_index % kWord));
    const std::uint32_t at = stack_position_[channel];
    if (at < edge_.size() && at < vanished_ && edge_[at] == dependency_index) vanished_ = at;
  }

  const Network& network_;
  PathDags& dags_;
  const ForwardingTable& table_;
  BreakRule rule_;
  Progress& progress_;
  std::uint32_t routers_, terminals_;
  std::uint32_t lane_ = 0;
  std::uint64_t lane_paths_ = 0, moved_paths_ = 0;
  std::uint32_t vanished_ = kNowhere;  // stack position of the first dependency that lost its last path

  std::vector<std::uint32_t> first_out_, first_in_, sources_;  // by router
  std::vector<std::size_t> level_row_;  // by router: where its row of service levels starts
  std::uint8_t* levels_ = nullptr;      // of the assignment under way
  std::vector<Incoming> incoming_;
  std::vector<std::uint32_t> source_, target_, first_dependency_;  // by channel
  std::vector<std::uint64_t> weight_, next_weight_;    // by dependency: paths of this lane, of the next
  std::vector<std::uint64_t> present_, next_present_;  // one bit a dependency: it has paths
  std::vector<Entry> column_;                          // destination-major copy of the table
  std::vector<Count> below_, next_below_;  // by (destination, router): the lane's sources in the subtree
  std::vector<Colour> colour_;             // by channel
  std::vector<std::uint32_t> cursor_, stack_position_;
  std::vector<std::uint32_t> stack_;  // channels of the search
  std::vector<std::uint32_t> edge_;   // dependency from each of them to the next: one fewer
  std::vector<std::uint32_t> walk_, matches_;
};

template <class Entry>
LaneAssignment break_cycles_of(const Network& network, PathDags& dags, const ForwardingTable& table,
                               BreakRule rule, std::uint32_t most_lanes, Progress& progress) {
  if (network.terminal_count() <= 0xFFFFU) {
    return CycleBreaker<Entry, std::uint16_t>(network, dags, table, rule, progress).run(most_lanes);
  }
  return CycleBreaker<Entry, std::uint32_t>(network, dags, table, rule, progress).run(most_lanes);
}

}  // namespace

LaneAssignment break_cycles(const Network& network, PathDags& dags, const ForwardingTable& table,
                            BreakRule rule, std::uint32_t most_lanes, Progress& progress) {
  return table.width() == 1
             ? break_cycles_of<std::uint8_t>(network, dags, table, rule, most_lanes, progress)
             : break_cycles_of<std::uint16_t>(network, dags, table, rule, most_lanes, progress);
}

std::uint32_t spread_over_spare_lanes(const Network& network, LaneAssignment& assignment,
                                      std::uint32_t budget) {
  const std::uint32_t needed = assignment.lanes;
  if (budget <= needed) return needed;
  if (assignment.levels.empty()) assignment.levels = ServiceLevels(network, ServiceLevels::Rows::by_router);

  // Each spare lane goes to the layer whose lanes carry most.
  std::vector<std::uint32_t> share(needed, 1);
  for (std::uint32_t spare = needed; spare < budget; ++spare) {
    std::uint32_t fullest = 0;
    for (std::uint32_t i = 1; i < needed; ++i) {
      if (assignment.lane_paths[i] * share[fullest] > assignment.lane_paths[fullest] * share[i]) fullest = i;
    }
    ++share[fullest];
  }
  std::vector<std::uint32_t> first(needed, 0);
  std::partial_sum(share.begin(), share.end() - 1, first.begin() + 1);
  std::vector<std::uint32_t> turn(needed, 0);
  for (std::uint32_t row = 0; row < assignment.levels.row_count(); ++row) {
    for (std::uint8_t& level : assignment.levels.row(row)) {
      const std::uint32_t layer = level;
      level = static_cast<std::uint8_t>(first[layer] + turn[layer]);
      turn[layer] = turn[layer] + 1 == share[layer] ? 0 : turn[layer] + 1;
    }
  }
  return budget;
}

}  // namespace unknot
