// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/lane_emptying.hpp"

#include <algorithm>
#include <cstring>
#include <utility>
#include <vector>

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
        visited_(network.channel_count(), 0),
        most_steps_(kStepsAnEntry * network.router_count() * network.terminal_count()) {
    std::uint32_t dependencies = 0;
    for (const ChannelId c : network.channels()) {
      first_dependency_.push_back(dependencies);
      dependencies += network.out(network.target(c)).size();
    }
  }

  bool empty_last() {
    const auto last = static_cast<std::uint8_t>(assignment_.lanes - 1);
    const std::vector<PathOnLane> paths = paths_on(last);
    std::vector<std::uint8_t> home(paths.size(), last);
    std::vector<std::pair<std::uint8_t, std::uint32_t>> added;  // (lane, dependency), to take back
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

  struct Dependency {
    std::uint32_t index, from, to;
  };

  void list_dependencies(const PathOnLane& path) {
    path_.clear();
    ChannelId held = table_.next(network_, path.source, path.destination);
    while (held.valid()) {
      const RouterId at = network_.target(held);
      const ChannelId next = table_.next(network_, at, path.destination);
      if (!next.valid()) break;
      path_.push_back(
          {first_dependency_[held.value] + next.value - network_.out(at).first(), held.value, next.value});
      held = next;
    }
  }

  /// Adds the path to the lane if no cycle arises; takes it back otherwise.
  bool fits(std::uint8_t lane, std::vector<std::pair<std::uint8_t, std::uint32_t>>& added) {
    const std::size_t before = added.size();
    for (const Dependency& dependency : path_) {
      if (has(lane, dependency.index)) continue;
      if (reaches(lane, dependency.to, dependency.from)) {
        while (added.size() > before) {
          set(lane, added.back().second, false);
          added.pop_back();
        }
        return false;
      }
      set(lane, dependency.index, true);
      added.emplace_back(lane, dependency.index);
    }
    return true;
  }

  [[nodiscard]] bool has(std::uint8_t lane, std::uint32_t dependency) const {
    return (assignment_.lane_dependencies[lane][dependency / 64] >> (dependency % 64) & 1) != 0;
  }
  void set(std::uint8_t lane, std::uint32_t dependency, bool value) {
    std::uint64_t& word = assignment_.lane_dependencies[lane][dependency / 64];
    const std::uint64_t bit = std::uint64_t{1} << (dependency % 64);
    word = value ? word | bit : word & ~bit;
  }

  bool reaches(std::uint8_t lane, std::uint32_t from, std::uint32_t goal) {
    ++stamp_;
    stack_.assign(1, from);
    visited_[from] = stamp_;
    while (!stack_.empty()) {
      const std::uint32_t channel = stack_.back();
      stack_.pop_back();
      if (channel == goal) return true;
      const IdRange<ChannelId> next = network_.out(network_.target(ChannelId(channel)));
      steps_ += next.size();
      for (std::uint32_t i = 0; i < next.size(); ++i) {
        const std::uint32_t to = next.first() + i;
        if (visited_[to] == stamp_ || !has(lane, first_dependency_[channel] + i)) continue;
        visited_[to] = stamp_;
        stack_.push_back(to);
      }
    }
    return false;
  }

  const Network& network_;
  const ForwardingTable& table_;
  LaneAssignment& assignment_;
  std::vector<std::uint32_t> first_dependency_;  // by channel
  std::vector<std::uint32_t> visited_;           // by channel: stamp of the last search that saw it
  std::uint32_t stamp_ = 0;
  std::uint64_t steps_ = 0;  // dependencies looked at
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
