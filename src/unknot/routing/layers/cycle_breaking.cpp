// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/layers/cycle_breaking.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <numeric>
#include <utility>

#include "unknot/routing/layers/dependency_bits.hpp"
#include "unknot/routing/layers/row_match.hpp"
#include "unknot/routing/model/engine.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kNowhere = 0xFFFFFFFFU;
constexpr std::uint32_t kWord = DependencyBits::kWord;

/// Entry: of the table. Count: holds the number of terminals. Weight: holds its square.
template <class Entry, class Count, class Weight>
class CycleBreaker {
 public:
  CycleBreaker(const Network& network, PathDags& dags, const ForwardingTable& table, BreakRule rule,
               Progress& progress)
      : network_(network),
        dags_(dags),
        table_(table),
        rule_(rule),
        progress_(progress),
        bits_(network),
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
      sources_.push_back(static_cast<Count>(network.terminals_at(r).size()));
      level_row_.push_back(level_row);
      if (sources_.back() > 0) level_row += terminals_;
    }
    first_in_.push_back(static_cast<std::uint32_t>(incoming_.size()));
    std::uint32_t dependencies = 0;
    for (const ChannelId c : network.channels()) {
      const IdRange<ChannelId> next = network.out(network.target(c));
      source_.push_back(network.source(c).value);
      target_.push_back(network.target(c).value);
      rows_.push_back(
          {next.first(), dependencies, bits_.channel_row(c.value), bits_.router_row(target_.back())});
      dependencies += next.size();
    }
    rows_.push_back({0, dependencies, bits_.dependency_set_words(), 0});
    weight_.assign(dependencies, 0);
    next_weight_.assign(dependencies, 0);
    present_.assign(bits_.dependency_set_words(), 0);
    next_present_.assign(bits_.dependency_set_words(), 0);
    finished_.assign(bits_.channel_set_words(), 0);
    stack_position_.assign(network.channel_count(), kNowhere);
    const std::size_t cells = std::size_t{terminals_} * routers_;
    column_.resize(cells);
    below_.resize(cells);
    matches_.resize(terminals_);
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
  /// What the search looks up of a channel: the channels out of its target and where their bits lie.
  struct Row {
    std::uint32_t first_next;        // first channel out of its target
    std::uint32_t first_dependency;  // on that one
    std::uint32_t present;           // DependencyBits::channel_row; the next channel's ends it
    std::uint32_t finished;          // DependencyBits::router_row of its target
  };
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
        std::copy(sources_.begin(), sources_.end(), below);
        for (std::uint32_t i = dag.positions(); i-- > 0;) {
          const std::uint32_t router = dag.order[i];
          const Count count = below[router];
          const std::uint32_t channel = channel_of(row, router);
          const std::uint32_t next = target_[channel];
          if (next == root.value) continue;
          below[next] = static_cast<Count>(below[next] + count);
          weight_[rows_[channel].first_dependency + column_[row + next]] += count;
        }
      }
    }
    for (std::uint32_t channel = 0; channel < network_.channel_count(); ++channel) {
      const Row& row = rows_[channel];
      const std::uint32_t size = rows_[channel + 1].first_dependency - row.first_dependency;
      for (std::uint32_t entry = 0; entry < size; ++entry) {
        present_[row.present + entry / kWord] |= std::uint64_t{weight_[row.first_dependency + entry] != 0}
                                                 << (entry % kWord);
      }
    }
  }

  /// Removes every cycle of the current lane.
  void clear_cycles(LaneAssignment& result) {
    std::fill(finished_.begin(), finished_.end(), 0);
    const auto channels = network_.channel_count();
    progress_.begin("lanes", channels);
    for (std::uint32_t start = 0; start < channels; ++start) {
      if (is_finished(start)) continue;
      if (progress_.interrupted()) throw Interrupted();
      progress_.update(start);
      push(start);
      while (!stack_.empty()) advance(result);
    }
  }

  [[nodiscard]] bool is_finished(std::uint32_t channel) const {
    const std::uint32_t entry = channel - first_out_[source_[channel]];
    return (finished_[bits_.router_row(source_[channel]) + entry / kWord] & DependencyBits::bit(entry)) != 0;
  }

  void push(std::uint32_t channel) {
    stack_position_[channel] = static_cast<std::uint32_t>(stack_.size());
    stack_.push_back(channel);
  }

  void pop() {
    stack_position_[stack_.back()] = kNowhere;
    stack_.pop_back();
    if (!edge_.empty()) edge_.pop_back();
  }

  /// One step of the depth-first search from the top of the stack: along its first dependency on a channel
  /// that is not finished.
  void advance(LaneAssignment& result) {
    const std::uint32_t top = stack_.back();
    const Row row = rows_[top];
    const std::uint64_t* const present = present_.data() + row.present;
    const std::uint64_t* const finished = finished_.data() + row.finished;
    const std::uint32_t words = rows_[top + 1].present - row.present;
    for (std::uint32_t word = 0; word < words; ++word) {
      const std::uint64_t left = present[word] & ~finished[word];
      if (left == 0) continue;
      const std::uint32_t entry = word * kWord + static_cast<std::uint32_t>(std::countr_zero(left));
      const std::uint32_t next = row.first_next + entry;
      if (stack_position_[next] == kNowhere) {
        edge_.push_back(row.first_dependency + entry);
        push(next);
      } else {
        break_cycle(stack_position_[next], row.first_dependency + entry, result);
      }
      return;
    }
    pop();
    const std::uint32_t entry = top - first_out_[source_[top]];
    finished_[bits_.router_row(source_[top]) + entry / kWord] |= DependencyBits::bit(entry);
  }

  /// The cycle is stack_[begin ..], closed by the dependency `closing` of the top on stack_[begin].
  void break_cycle(std::uint32_t begin, std::uint32_t closing, LaneAssignment& result) {
    const auto top = static_cast<std::uint32_t>(stack_.size() - 1);
    // For the length of this call the cycle is edge_[begin ..]; ties go to the first on the cycle.
    edge_.push_back(closing);
    const auto lighter = [this](std::uint32_t a, std::uint32_t b) { return weight_[a] < weight_[b]; };
    const auto first = edge_.begin() + begin;
    const auto weakest =
        static_cast<std::uint32_t>(std::min_element(first, edge_.end(), lighter) - edge_.begin());
    std::uint32_t chosen = weakest;
    if (rule_ == BreakRule::heaviest) {
      chosen = static_cast<std::uint32_t>(std::max_element(first, edge_.end(), lighter) - edge_.begin());
    }
    if (rule_ == BreakRule::first) chosen = begin;
    if (rule_ == BreakRule::closing) chosen = top;
    // Moving all that is left would move the cycle with it, forever.
    if (weight_[edge_[chosen]] == lane_paths_ - moved_paths_) chosen = weakest;
    edge_.pop_back();

    vanished_ = kNowhere;
    move_dependency(stack_[chosen], stack_[chosen < top ? chosen + 1 : begin], result);
    while (vanished_ != kNowhere && stack_.size() > vanished_ + 1) pop();
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
    const std::uint32_t found = match_rows(row_a, entry_a, row_b, entry_b, terminals_, matches_.data());
    for (std::uint32_t i = 0; i < found; ++i) {
      const std::uint32_t d = matches_[i];
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
      shift(channel, column_[row + next], moved);
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
        shift(in.channel, column_[row + router], count);
        walk_.push_back(in.from);
      }
    }
  }

  /// Takes `count` paths of a dependency out of this lane and into the next; notes where the stack is cut.
  void shift(std::uint32_t channel, std::uint32_t entry, Count count) {
    const std::uint32_t dependency = rows_[channel].first_dependency + entry;
    const std::uint32_t word = rows_[channel].present + entry / kWord;
    weight_[dependency] -= count;
    next_weight_[dependency] += count;
    next_present_[word] |= DependencyBits::bit(entry);
    if (weight_[dependency] != 0) return;
    present_[word] &= ~DependencyBits::bit(entry);
    const std::uint32_t at = stack_position_[channel];
    if (at < edge_.size() && at < vanished_ && edge_[at] == dependency) vanished_ = at;
  }

  const Network& network_;
  PathDags& dags_;
  const ForwardingTable& table_;
  BreakRule rule_;
  Progress& progress_;
  DependencyBits bits_;
  std::uint32_t routers_, terminals_;
  std::uint32_t lane_ = 0;
  std::uint64_t lane_paths_ = 0, moved_paths_ = 0;
  std::uint32_t vanished_ = kNowhere;  // stack position of the first dependency that lost its last path

  std::vector<std::uint32_t> first_out_, first_in_;  // by router
  std::vector<Count> sources_;                       // by router: terminals
  std::vector<std::size_t> level_row_;               // by router: where its row of service levels starts
  std::uint8_t* levels_ = nullptr;                   // of the assignment under way
  std::vector<Incoming> incoming_;
  std::vector<std::uint32_t> source_, target_;         // by channel
  std::vector<Row> rows_;                              // by channel; one more at the end
  std::vector<Weight> weight_, next_weight_;           // by dependency: paths of this lane, of the next
  std::vector<std::uint64_t> present_, next_present_;  // DependencyBits: those with paths
  std::vector<Entry> column_;                          // destination-major copy of the table
  std::vector<Count> below_, next_below_;      // by (destination, router): the lane's sources in the subtree
  std::vector<std::uint64_t> finished_;        // DependencyBits: channels whose search is over
  std::vector<std::uint32_t> stack_position_;  // by channel
  std::vector<std::uint32_t> stack_;           // channels of the search
  std::vector<std::uint32_t> edge_;            // dependency from each of them to the next: one fewer
  std::vector<std::uint32_t> walk_, matches_;
};

template <class Entry>
LaneAssignment break_cycles_of(const Network& network, PathDags& dags, const ForwardingTable& table,
                               BreakRule rule, std::uint32_t most_lanes, Progress& progress) {
  if (network.terminal_count() <= 0xFFFFU) {
    return CycleBreaker<Entry, std::uint16_t, std::uint32_t>(network, dags, table, rule, progress)
        .run(most_lanes);
  }
  return CycleBreaker<Entry, std::uint32_t, std::uint64_t>(network, dags, table, rule, progress)
      .run(most_lanes);
}

}  // namespace

LaneAssignment break_cycles(const Network& network, PathDags& dags, const ForwardingTable& table,
                            BreakRule rule, std::uint32_t most_lanes, Progress& progress) {
  return table.with_entry_type([&]<class Entry>(Entry) {
    return break_cycles_of<Entry>(network, dags, table, rule, most_lanes, progress);
  });
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
  // By layer: its lanes in turn, from any of them on for kRun more; and the one whose turn it is.
  constexpr std::uint32_t kRun = sizeof(std::uint64_t);
  std::vector<std::vector<std::uint8_t>> cycle(needed);
  for (std::uint32_t layer = 0; layer < needed; ++layer) {
    for (std::uint32_t i = 0; i < share[layer] + kRun; ++i) {
      cycle[layer].push_back(static_cast<std::uint8_t>(first[layer] + i % share[layer]));
    }
  }
  std::vector<std::uint32_t> turn(needed, 0);
  const auto take = [&](std::uint8_t* levels, std::uint32_t layer, std::uint32_t count) {
    std::memcpy(levels, cycle[layer].data() + turn[layer], count);
    turn[layer] = (turn[layer] + count) % share[layer];
  };
  for (std::uint32_t row = 0; row < assignment.levels.row_count(); ++row) {
    const auto levels = assignment.levels.row(row);
    std::size_t i = 0;
    for (; i + kRun <= levels.size(); i += kRun) {
      // Most runs are of one layer.
      std::uint64_t run = 0;
      std::memcpy(&run, levels.data() + i, kRun);
      if (run == levels[i] * 0x0101010101010101U) {
        take(levels.data() + i, levels[i], kRun);
      } else {
        for (std::size_t k = i; k < i + kRun; ++k) take(levels.data() + k, levels[k], 1);
      }
    }
    for (; i < levels.size(); ++i) take(levels.data() + i, levels[i], 1);
  }
  return budget;
}

}  // namespace unknot
