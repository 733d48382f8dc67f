// SPDX-License-Identifier: Apache-2.0
#include "lane_check.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "channels.hpp"
#include "lane_tables.hpp"
#include "line_reader.hpp"

namespace unknot::opensm {
namespace {

constexpr std::uint32_t kLanes = 16;
using LanesOfLevels = std::array<std::uint16_t, 16>;  // a set of lanes for each level

class LaneGraph {
 public:
  LaneGraph(const unknot_fabric& fabric, std::span<const Target> targets, const unknot_plan& plan,
            Traffic traffic)
      : fabric_(fabric), plan_(plan), targets_(targets), traffic_(traffic), channels_(fabric) {
    after_.assign(channels_.pairs, {});
    loads_.assign(channels_.count(), {});
  }

  void run() {
    list_sources();
    for (const Target& target : targets_) {
      if (counts(target)) add_destination(target);
    }
    check();
  }

 private:
  /// A row of levels, and the port by which packets with it come in.
  using Source = std::pair<std::uint16_t, std::uint8_t>;

  /// As in check_dependencies().
  [[nodiscard]] bool counts(const Target& target) const {
    if (target.is_switch) return traffic_ == Traffic::with_management;
    return !is_aggregation_node(fabric_.adapters[target.index]);
  }

  /// Each row of levels once for each way in that is different.
  void list_sources() {
    sources_.resize(fabric_.switches.size());
    const LaneTables& lanes = plan_.lanes;
    for (const Target& target : targets_) {
      if (!counts(target)) continue;
      const std::uint32_t home = target.home(fabric_);
      const std::uint8_t port = target.is_switch ? std::uint8_t{0} : fabric_.adapters[target.index].at_port;
      const std::uint16_t* const rows = lanes.rows_from(home, port);
      const bool known = std::any_of(sources_[home].begin(), sources_[home].end(), [&](const Source& one) {
        return (!plan_.has_levels ||
                plan_.levels.row_of_lid[one.first] == plan_.levels.row_of_lid[target.lid]) &&
               std::equal(rows, rows + lanes.ports(home), lanes.rows_from(home, one.second));
      });
      if (!known) sources_[home].emplace_back(target.lid, port);
    }
  }

  /// kNoLevel where nobody is to use the path.
  static constexpr unsigned kNoLevel = 16;
  [[nodiscard]] unsigned level_of(std::uint16_t source, std::uint16_t destination) const {
    const std::uint8_t level = plan_.has_levels ? plan_.levels.get(source, destination) : std::uint8_t{0};
    if (level != LevelMatrix::kMissing) return level;
    return plan_.levels.names_switches ? kNoLevel : 0;
  }

  [[nodiscard]] std::uint32_t next_channel(std::uint32_t s, std::uint16_t lid) const {
    const std::uint8_t port = plan_.rows[s][lid];
    return port < channels_.at[s].size() ? channels_.at[s][port] : kNone;
  }

  std::uint8_t lane(std::uint32_t s, unsigned in_port, unsigned out_port, unsigned level) const {
    const std::uint8_t lane = plan_.lanes.row(s, in_port, out_port)[level];
    const unknot_fabric::Link& link = fabric_.switches[s].ports[out_port];
    const bool between_switches = link.kind == Peer::node;
    if (lane != LaneTables::kDrop && (!between_switches || lane < link.lanes)) return lane;
    throw Misfit(fmt::format(
        "packets of service level {} that come in by port {} of {} leave by port {} on lane {}, {}", level,
        in_port, name_of(fabric_.switches[s]), out_port, lane,
        lane == LaneTables::kDrop
            ? std::string("which carries no data")
            : fmt::format("and the port has {} operational virtual lanes", link.lanes)));
  }

  /// What switch s adds to its way out: what starts there, and what comes by the channels before it.
  void leave(std::uint32_t s, std::uint16_t lid, const std::vector<std::uint32_t>& before) {
    const std::uint8_t out = plan_.rows[s][lid];
    if (out == 0 || out >= channels_.at[s].size()) return;  // here, or no row
    const std::uint32_t c = channels_.at[s][out];
    LanesOfLevels* const load = c == kNone ? nullptr : &loads_[c];
    if (load != nullptr) load->fill(0);
    for (const auto& [source, port] : sources_[s]) {
      if (port == out) continue;
      const unsigned level = level_of(source, lid);
      if (level == kNoLevel) continue;
      const std::uint8_t on = lane(s, port, out, level);
      if (load != nullptr) (*load)[level] |= static_cast<std::uint16_t>(1U << on);
    }
    for (const std::uint32_t b : before) {
      const Channels::Channel& in = channels_[b];
      for (unsigned level = 0; level < loads_[b].size(); ++level) {
        const std::uint16_t held = loads_[b][level];
        if (held == 0) continue;
        const std::uint8_t on = lane(s, in.to_port, out, level);
        if (load == nullptr) continue;
        (*load)[level] |= static_cast<std::uint16_t>(1U << on);
        LanesOfLevels& after = after_[in.next + out];
        for (unsigned l = 0; l < kLanes; ++l) {
          if ((held >> l & 1U) != 0) after[l] |= static_cast<std::uint16_t>(1U << on);
        }
      }
    }
  }

  /// Gathers from the leaves of the destination's tree towards it: a switch is done when all before it are.
  void add_destination(const Target& target) {
    const std::size_t count = fabric_.switches.size();
    before_.assign(count, {});
    waiting_.assign(count, 0);
    for (std::uint32_t s = 0; s < count; ++s) {
      const std::uint32_t c = next_channel(s, target.lid);
      if (c == kNone) continue;
      ++waiting_[channels_[c].to];
      before_[channels_[c].to].push_back(c);
    }
    order_.clear();
    for (std::uint32_t s = 0; s < count; ++s) {
      if (waiting_[s] == 0) order_.push_back(s);
    }
    for (std::size_t i = 0; i < order_.size(); ++i) {
      const std::uint32_t s = order_[i];
      leave(s, target.lid, before_[s]);
      const std::uint32_t c = next_channel(s, target.lid);
      if (c != kNone && --waiting_[channels_[c].to] == 0) order_.push_back(channels_[c].to);
    }
  }

  template <class Visit>
  void for_each_next(std::uint32_t vertex, const Visit& visit) const {
    const Channels::Channel& channel = channels_[vertex / kLanes];
    const std::vector<std::uint32_t>& out = channels_.at[channel.to];
    for (std::size_t p = 1; p < out.size(); ++p) {
      const std::uint16_t lanes = after_[channel.next + p][vertex % kLanes];
      for (std::uint32_t l = 0; l < kLanes; ++l) {
        if ((lanes >> l & 1U) != 0) visit(out[p] * kLanes + l);
      }
    }
  }

  void check() const {
    const std::uint32_t count = channels_.count() * kLanes;
    const auto next = [this](std::uint32_t v, const auto& visit) { for_each_next(v, visit); };
    for (const std::uint32_t v : on_or_behind_cycles(count, next)) {
      const std::vector<std::uint32_t> cycle = shortest_cycle(v, count, next);
      if (!cycle.empty()) throw_cycle(cycle);
    }
  }

  [[noreturn]] void throw_cycle(const std::vector<std::uint32_t>& cycle) const {
    constexpr std::size_t kShown = 12;
    std::string text;
    for (std::size_t i = 0; i < std::min(cycle.size(), kShown); ++i) {
      const Channels::Channel& c = channels_[cycle[i] / kLanes];
      text += fmt::format("{}'{}' port {} lane {}", i == 0 ? "" : ", ", fabric_.switches[c.from].name, c.port,
                          cycle[i] % kLanes);
    }
    if (cycle.size() > kShown) text += fmt::format(", and {} more", cycle.size() - kShown);
    throw Misfit(fmt::format(
        "packets can wait for each other in a circle ({}), so the tables can deadlock on this fabric", text));
  }

  const unknot_fabric& fabric_;
  const unknot_plan& plan_;
  std::span<const Target> targets_;
  Traffic traffic_;
  Channels channels_;
  std::vector<LanesOfLevels> after_;                // by channel, port behind it and lane held: lanes wanted
  std::vector<LanesOfLevels> loads_;                // of add_destination(): by channel and level: lanes
  std::vector<std::vector<Source>> sources_;        // by switch
  std::vector<std::vector<std::uint32_t>> before_;  // of add_destination(): channels that lead to a switch
  std::vector<std::uint32_t> waiting_, order_;      // of add_destination()
};

}  // namespace

void check_lane_dependencies(const unknot_fabric& fabric, std::span<const Target> targets,
                             const unknot_plan& plan, Traffic traffic) {
  LaneGraph(fabric, targets, plan, traffic).run();
}

}  // namespace unknot::opensm
