// SPDX-License-Identifier: Apache-2.0
#include "dependency_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "channels.hpp"
#include "line_reader.hpp"

namespace unknot::opensm {

namespace {

constexpr unsigned kLevels = 16;

class Graph {
 public:
  Graph(const unknot_fabric& fabric, std::span<const Target> targets, const unknot_plan& plan,
        Traffic traffic)
      : fabric_(fabric),
        plan_(plan),
        targets_(targets),
        channels_(fabric),
        traffic_(traffic),
        after_(channels_.pairs, 0) {}

  std::uint16_t run() {
    list_sources();
    for (const Target& target : targets_) {
      if (counts(target)) add_destination(target);
    }
    for (unsigned level = 0; level < kLevels; ++level) check(level, "");
    const std::vector<MulticastTree>& trees = plan_.multicast.trees;
    if (trees.empty()) return 0;
    // Each class of service does on its levels what the first does.
    const unsigned levels = plan_.class_levels;
    for (const MulticastTree& tree : trees)
      add_tree(tree, static_cast<std::uint16_t>(1U << tree.level % levels));
    const std::string with = fmt::format(" together with the multicast trees of {}", plan_.multicast.path);
    for (unsigned level = 0; level < kLevels; ++level) check(level, with);
    const unsigned highest =
        std::min(std::max(plan_.levels.highest, plan_.multicast.highest_level()), levels - 1);
    const auto asked = static_cast<std::uint16_t>((2U << highest) - 1U);
    for (const MulticastTree& tree : trees) add_tree(tree, asked);
    std::uint16_t free = 0;
    for (unsigned level = 0; level <= highest; ++level) {
      if (!waiting_channels(level).empty()) continue;
      for (unsigned c = 0; c < plan_.classes; ++c)
        free |= static_cast<std::uint16_t>(1U << (c * levels + level));
    }
    return free;
  }

 private:
  /// Traffic to and from aggregation nodes is small, and no part of what the tables promise.
  [[nodiscard]] bool counts(const Target& target) const {
    if (target.is_switch) return traffic_ == Traffic::with_management;
    return !is_aggregation_node(fabric_.adapters[target.index]);
  }

  /// Rows of levels that start at each switch, each once: its adapters mostly share one.
  void list_sources() {
    rows_at_.resize(fabric_.switches.size());
    for (const Target& target : targets_) {
      if (!counts(target)) continue;
      std::vector<std::uint16_t>& at = rows_at_[target.home(fabric_)];
      const bool known = std::any_of(at.begin(), at.end(), [&](std::uint16_t lid) {
        return !plan_.has_levels || plan_.levels.row_of_lid[lid] == plan_.levels.row_of_lid[target.lid];
      });
      if (!known) at.push_back(target.lid);
    }
  }

  [[nodiscard]] std::uint16_t levels_from(std::uint32_t s, std::uint16_t destination) const {
    std::uint16_t set = 0;
    for (const std::uint16_t source : rows_at_[s]) {
      const std::uint8_t level = plan_.has_levels ? plan_.levels.get(source, destination) : std::uint8_t{0};
      // A file that names switches leaves out those of their paths that nobody is to use.
      if (level == LevelMatrix::kMissing && plan_.levels.names_switches) continue;
      set |= static_cast<std::uint16_t>(1U << (level == LevelMatrix::kMissing ? 0U : level));
    }
    return set;
  }

  [[nodiscard]] std::uint32_t next_channel(std::uint32_t s, std::uint16_t lid) const {
    const std::uint8_t port = plan_.rows[s][lid];
    return port < channels_.at[s].size() ? channels_.at[s][port] : kNone;
  }

  /// Gathers from the leaves of the destination's tree towards it: a switch is done when all before it are.
  void add_destination(const Target& target) {
    const std::size_t count = fabric_.switches.size();
    waiting_.assign(count, 0);
    passing_.assign(count, 0);
    for (std::uint32_t s = 0; s < count; ++s) {
      const std::uint32_t c = next_channel(s, target.lid);
      if (c != kNone) ++waiting_[channels_[c].to];
    }
    order_.clear();
    for (std::uint32_t s = 0; s < count; ++s) {
      if (waiting_[s] == 0) order_.push_back(s);
    }
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::uint32_t s = order_[i];
      const std::uint32_t c = next_channel(s, target.lid);
      if (c == kNone) continue;
      const auto set = static_cast<std::uint16_t>(passing_[s] | levels_from(s, target.lid));
      const std::uint32_t to = channels_[c].to;
      const std::uint32_t next = next_channel(to, target.lid);
      if (next != kNone) after_[channels_[c].next + channels_[next].port] |= set;
      passing_[to] |= set;
      if (--waiting_[to] == 0) order_.push_back(to);
    }
  }

  /// A packet of the tree goes from each of its cables to all others of the switch.
  void add_tree(const MulticastTree& tree, std::uint16_t levels) {
    cables_at_.resize(fabric_.switches.size());
    for (const MulticastTree::Node& node : tree.nodes) cables_at_[node.at].clear();
    for (const MulticastTree::Node& node : tree.nodes) {
      if (node.port == 0) continue;
      cables_at_[node.at].push_back(node.port);
      cables_at_[tree.nodes[node.parent].at].push_back(node.parents_port);
    }
    for (const MulticastTree::Node& node : tree.nodes) {
      const std::vector<std::uint8_t>& cables = cables_at_[node.at];
      for (const std::uint8_t in : cables) {
        const unknot_fabric::Link& link = fabric_.switches[node.at].ports[in];
        const std::size_t first = channels_[channels_.at[link.index][link.port]].next;
        for (const std::uint8_t out : cables) {
          if (out != in) after_[first + out] |= levels;
        }
      }
    }
  }

  template <class Visit>
  void for_each_next(std::uint32_t channel, unsigned level, const Visit& visit) const {
    const std::vector<std::uint32_t>& out = channels_.at[channels_[channel].to];
    for (std::size_t p = 1; p < out.size(); ++p) {
      if ((after_[channels_[channel].next + p] >> level & 1U) != 0) visit(out[p]);
    }
  }

  [[nodiscard]] auto next_on(unsigned level) const {
    return [this, level](std::uint32_t c, const auto& visit) { for_each_next(c, level, visit); };
  }
  [[nodiscard]] std::vector<std::uint32_t> waiting_channels(unsigned level) const {
    return on_or_behind_cycles(channels_.count(), next_on(level));
  }

  void check(unsigned level, const std::string& with) const {
    for (const std::uint32_t c : waiting_channels(level)) {
      const std::vector<std::uint32_t> cycle = shortest_cycle(c, channels_.count(), next_on(level));
      if (!cycle.empty()) throw_cycle(cycle, level, with);
    }
  }

  [[noreturn]] void throw_cycle(const std::vector<std::uint32_t>& cycle, unsigned level,
                                const std::string& with) const {
    constexpr std::size_t kShown = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(cycle.size(), kShown); ++i) {
      const Channels::Channel& c = channels_[cycle[i]];
      text += fmt::format("{}'{}' port {}", i == 0 ? "" : ", ", fabric_.switches[c.from].name, c.port);
    }
    if (cycle.size() > kShown) text += fmt::format(", and {} more", cycle.size() - kShown);
    throw Misfit(
        fmt::format("packets of service level {} can wait for each other in a circle ({}), so the tables "
                    "can deadlock on this fabric{}",
                    level, text, with));
  }

  const unknot_fabric& fabric_;
  const unknot_plan& plan_;
  std::span<const Target> targets_;
  Channels channels_;
  Traffic traffic_;
  std::vector<std::uint16_t> after_;                  // levels that use a channel and then a port
  std::vector<std::vector<std::uint16_t>> rows_at_;   // by switch: LIDs of sources with different levels
  std::vector<std::uint32_t> waiting_, order_;        // of add_destination()
  std::vector<std::uint16_t> passing_;                // of add_destination()
  std::vector<std::vector<std::uint8_t>> cables_at_;  // of add_tree(): its ports between switches, by switch
};

}  // namespace

std::uint16_t check_dependencies(const unknot_fabric& fabric, std::span<const Target> targets,
                                 const unknot_plan& plan, Traffic traffic) {
  return Graph(fabric, targets, plan, traffic).run();
}

}  // namespace unknot::opensm
