// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/layers/lane_emptying.hpp"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>
#include <vector>

#include "unknot/routing/layers/dependency_bits.hpp"

namespace unknot {
namespace {

struct PathOnLane {
  RouterId source;
  TerminalId destination;
  std::uint32_t hops;
};

/// Work allowed for each entry of the table: emptying lanes must stay cheap beside what filled them.
constexpr std::uint64_t kStepsAnEntry = 2;

class LaneEmptier {
 public:
  LaneEmptier(const Network& network, const ForwardingTable& table, LaneAssignment& assignment)
      : network_(network),
        table_(table),
        assignment_(assignment),
        bits_(network),
        visited_(bits_.channel_set_words(), 0),
        most_steps_(kStepsAnEntry * network.router_count() * network.terminal_count()) {}

  bool empty_last() {
    const auto last = static_cast<std::uint8_t>(assignment_.lanes - 1);
    const std::vector<PathOnLane> paths = paths_on(last);
    std::vector<std::uint8_t> home(paths.size(), last);
    std::vector<std::pair<std::uint8_t, Dependency>> added;  // with their lanes, to take back
    for (std::size_t i = 0; i < paths.size(); ++i) {
      list_dependencies(paths[i]);
      if (steps_ > most_steps_) {
        for (const auto& [lane, dependency] : added) set(lane, dependency, false);
        return false;
      }
      // The emptiest lanes are the last ones: they are asked first.
      for (std::uint8_t lane = last; lane-- > 0 && home[i] == last;) {
        if (fits(lane, added)) home[i] = lane;
      }
      if (home[i] == last) {
        for (const auto& [lane, dependency] : added) set(lane, dependency, false);
        return false;
      }
    }
    for (std::size_t i = 0; i < paths.size(); ++i) {
      const IdRange<TerminalId> from = network_.terminals_at(paths[i].source);
      assignment_.levels.row(assignment_.levels.row_of(from[0]))[paths[i].destination.value] = home[i];
      assignment_.lane_paths[home[i]] += from.size();
    }
    assignment_.lane_paths.pop_back();
    assignment_.lane_dependencies.pop_back();
    --assignment_.lanes;
    return true;
  }

 private:
  struct Dependency {
    std::uint32_t from, to;  // channels
    std::uint32_t word;      // where DependencyBits has it
    std::uint64_t bit;
  };

  [[nodiscard]] std::vector<PathOnLane> paths_on(std::uint8_t lane) const {
    std::vector<PathOnLane> paths;
    for (const RouterId source : network_.routers()) {
      const IdRange<TerminalId> here = network_.terminals_at(source);
      if (here.empty()) continue;
      const auto row = std::as_const(assignment_.levels).row(assignment_.levels.row_of(here[0]));
      const std::uint8_t* const end = row.data() + row.size();
      for (const std::uint8_t* at_level = row.data();; ++at_level) {
        // The last lane is nearly empty: jump from hit to hit.
        at_level = static_cast<const std::uint8_t*>(
            std::memchr(at_level, lane, static_cast<std::size_t>(end - at_level)));
        if (at_level == nullptr) break;
        const auto d = static_cast<std::uint32_t>(at_level - row.data());
        std::uint32_t hops = 0;
        RouterId at = source;
        for (ChannelId c = table_.next(network_, at, TerminalId(d)); c.valid();
             c = table_.next(network_, at, TerminalId(d))) {
          at = network_.target(c);
          ++hops;
        }
        paths.push_back({source, TerminalId(d), hops});
      }
    }
    std::stable_sort(paths.begin(), paths.end(),
                     [](const PathOnLane& a, const PathOnLane& b) { return a.hops > b.hops; });
    return paths;
  }

  void list_dependencies(const PathOnLane& path) {
    path_.clear();
    ChannelId held = table_.next(network_, path.source, path.destination);
    while (held.valid()) {
      const RouterId at = network_.target(held);
      const ChannelId next = table_.next(network_, at, path.destination);
      if (!next.valid()) break;
      const std::uint32_t entry = next.value - network_.out(at).first();
      path_.push_back({held.value, next.value, bits_.word(held.value, entry), DependencyBits::bit(entry)});
      held = next;
    }
  }

  /// Adds the path to the lane if no cycle arises; takes it back otherwise.
  bool fits(std::uint8_t lane, std::vector<std::pair<std::uint8_t, Dependency>>& added) {
    const std::size_t before = added.size();
    for (const Dependency& dependency : path_) {
      if ((assignment_.lane_dependencies[lane][dependency.word] & dependency.bit) != 0) continue;
      if (reaches(lane, dependency.to, dependency.from)) {
        while (added.size() > before) {
          set(lane, added.back().second, false);
          added.pop_back();
        }
        return false;
      }
      set(lane, dependency, true);
      added.emplace_back(lane, dependency);
    }
    return true;
  }

  void set(std::uint8_t lane, const Dependency& dependency, bool value) {
    std::uint64_t& word = assignment_.lane_dependencies[lane][dependency.word];
    word = value ? word | dependency.bit : word & ~dependency.bit;
  }

  /// Whether the lane has a chain of dependencies between two different channels.
  bool reaches(std::uint8_t lane, std::uint32_t from, std::uint32_t goal) {
    const std::uint64_t* const present = assignment_.lane_dependencies[lane].data();
    std::fill(visited_.begin(), visited_.end(), 0);
    stack_.assign(1, from);
    while (!stack_.empty()) {
      const std::uint32_t channel = stack_.back();
      stack_.pop_back();
      const std::uint32_t router = network_.target(ChannelId(channel)).value;
      const IdRange<ChannelId> next = network_.out(RouterId(router));
      steps_ += next.size();
      const std::uint64_t* const row = present + bits_.channel_row(channel);
      std::uint64_t* const visited = visited_.data() + bits_.router_row(router);
      for (std::uint32_t word = 0; word < bits_.words(router); ++word) {
        std::uint64_t fresh = row[word] & ~visited[word];
        visited[word] |= fresh;
        for (; fresh != 0; fresh &= fresh - 1) {
          const std::uint32_t to = next.first() + word * DependencyBits::kWord +
                                   static_cast<std::uint32_t>(std::countr_zero(fresh));
          if (to == goal) return true;
          stack_.push_back(to);
        }
      }
    }
    return false;
  }

  const Network& network_;
  const ForwardingTable& table_;
  LaneAssignment& assignment_;
  DependencyBits bits_;
  std::vector<std::uint64_t> visited_;  // DependencyBits: channels that the search has seen
  std::uint64_t steps_ = 0;             // dependencies looked at
  std::uint64_t most_steps_;
  std::vector<std::uint32_t> stack_;
  std::vector<Dependency> path_;
};

}  // namespace

std::uint32_t empty_last_lanes(const Network& network, const ForwardingTable& table,
                               LaneAssignment& assignment) {
  if (assignment.lanes < 2) return 0;
  LaneEmptier emptier(network, table, assignment);
  std::uint32_t saved = 0;
  while (assignment.lanes > 1 && emptier.empty_last()) ++saved;
  if (assignment.lanes == 1) assignment.levels = ServiceLevels();
  return saved;
}

}  // namespace unknot
