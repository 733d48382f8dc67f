// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <mutex>
#include <utility>

#include "unknot/routing/adaptive/adaptive_groups.hpp"
#include "unknot/support/error.hpp"
#include "unknot/support/parallel.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kLeadsNowhere = 0xFFFFFFFFU;

/// Groups of all routers towards one destination after the other.
class EscapeColumn {
 public:
  EscapeColumn(const Network& network, const Routing& tables, std::span<const std::uint32_t> number)
      : network_(network),
        tables_(tables),
        number_(number),
        hops_(network.router_count()),
        next_(network.router_count()),
        lanes_(network.channel_count() == 0
                   ? 0
                   : static_cast<std::uint32_t>(number.size() / network.channel_count())),
        steady_(static_cast<std::size_t>(lanes_) * network.router_count()) {}

  /// The tables' ways to the destination, and on which lanes they may be entered at each router.
  void look_at(TerminalId t) {
    const RouterId home = network_.router_of(t);
    for (const RouterId r : network_.routers()) next_[r.value] = tables_.table().next(network_, r, t);
    std::fill(hops_.begin(), hops_.end(), kLeadsNowhere);
    std::fill(steady_.begin(), steady_.end(), 0);
    hops_[home.value] = 0;
    for (std::uint32_t lane = 0; lane < lanes_; ++lane) steady(lane, home) = 1;
    for (const RouterId r : network_.routers()) follow(r, home);
    used_lanes(t);
  }
  [[nodiscard]] bool leads(RouterId r) const { return hops_[r.value] != kLeadsNowhere; }

  void group(RouterId r, std::vector<std::uint16_t>& members) const {
    members.clear();
    const IdRange<ChannelId> out = network_.out(r);
    for (std::uint32_t i = 0; i < out.size(); ++i) {
      if (out[i] == next_[r.value] || may_take(r, out[i])) members.push_back(static_cast<std::uint16_t>(i));
    }
  }
  [[nodiscard]] std::uint16_t fixed(RouterId r) const {
    return static_cast<std::uint16_t>(next_[r.value].value - network_.out(r).first());
  }

 private:
  std::uint8_t& steady(std::uint32_t lane, RouterId r) {
    return steady_[static_cast<std::size_t>(lane) * network_.router_count() + r.value];
  }
  [[nodiscard]] bool is_steady(std::uint32_t lane, RouterId r) const {
    return steady_[static_cast<std::size_t>(lane) * network_.router_count() + r.value] != 0;
  }
  /// Channels without packets come before all others.
  [[nodiscard]] std::int64_t number(std::uint32_t lane, ChannelId c) const {
    const std::uint32_t its = number_[static_cast<std::size_t>(lane) * network_.channel_count() + c.value];
    return its == kLeadsNowhere ? -1 : std::int64_t{its};
  }

  /// Hops from the router on, and whether numbers grow all the way, for all routers of its path.
  void follow(RouterId r, RouterId home) {
    path_.clear();
    while (hops_[r.value] == kLeadsNowhere && next_[r.value].valid() &&
           path_.size() <= network_.router_count()) {
      path_.push_back(r);
      r = network_.target(next_[r.value]);
    }
    if (hops_[r.value] == kLeadsNowhere) return;
    for (auto at = path_.rbegin(); at != path_.rend(); ++at) {
      const RouterId after = network_.target(next_[at->value]);
      hops_[at->value] = hops_[after.value] + 1;
      for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
        steady(lane, *at) = static_cast<std::uint8_t>(
            after == home || (is_steady(lane, after) &&
                              number(lane, next_[at->value]) < number(lane, next_[after.value]))
                ? 1
                : 0);
      }
    }
  }

  void used_lanes(TerminalId t) {
    used_.assign(lanes_, 0);
    const ServiceLevels& levels = tables_.service_levels;
    if (levels.empty() && lanes_ > 0) used_[0] = 1;
    for (std::uint32_t row = 0; !levels.empty() && row < levels.row_count(); ++row) {
      const std::uint8_t level = levels.row(row)[t.value];
      if (level < lanes_) used_[level] = 1;
    }
  }

  [[nodiscard]] bool may_take(RouterId r, ChannelId c) const {
    const RouterId after = network_.target(c);
    if (hops_[after.value] >= hops_[r.value]) return false;  // and so where it leads nowhere
    if (hops_[after.value] == 0) return true;
    for (std::uint32_t lane = 0; lane < lanes_; ++lane) {
      if (used_[lane] == 0) continue;
      if (!is_steady(lane, after) || number(lane, c) >= number(lane, next_[after.value])) return false;
    }
    return true;
  }

  const Network& network_;
  const Routing& tables_;
  std::span<const std::uint32_t> number_;
  std::vector<std::uint32_t> hops_;  // by router
  std::vector<ChannelId> next_;      // by router
  std::uint32_t lanes_;
  std::vector<std::uint8_t> steady_;  // by lane and router: numbers grow along the tables' way from there
  std::vector<std::uint8_t> used_;    // by lane
  std::vector<RouterId> path_;
};

std::uint16_t levels_in_use(const ServiceLevels& levels) {
  std::uint32_t mask = levels.empty() ? 1U : 0U;
  for (std::uint32_t row = 0; !levels.empty() && row < levels.row_count(); ++row)
    for (const std::uint8_t level : levels.row(row))
      if (level < LaneMap::kLevels) mask |= 1U << level;
  return static_cast<std::uint16_t>(mask);
}

}  // namespace

AdaptiveRouting escape_groups(const Network& network, const Routing& tables,
                              std::span<const std::uint32_t> number, std::uint32_t threads,
                              Progress& progress) {
  require_tables(tables, "an adaptive routing");
  if (tables.lane_map)
    throw InputError("groups around tables need lanes that are levels, without SL-to-VL tables");
  if (tables.service_levels.highest() >= LaneMap::kLevels &&
      tables.service_levels.highest() != ServiceLevels::kMissing)
    throw InputError(fmt::format("an adaptive routing has service levels 0 to {}", LaneMap::kLevels - 1));
  AdaptiveRouting routing;
  routing.source = tables.engine;
  routing.service_levels = tables.service_levels;
  routing.adaptive_levels = routing.fixed_levels = levels_in_use(tables.service_levels);
  AdaptivePlane plane(network);
  progress.begin("making groups", network.terminal_count());
  constexpr std::uint32_t kTerminals = 16;
  constexpr std::uint32_t kTogether = 1024;  // their groups are found by many, and numbered by one, in order
  std::vector<std::vector<std::vector<std::uint16_t>>> groups(kTogether);
  std::vector<std::vector<std::uint16_t>> fixed(kTogether);
  for (std::uint32_t first = 0; first < network.terminal_count(); first += kTogether) {
    const std::uint32_t count = std::min(kTogether, network.terminal_count() - first);
    parallel_blocks(count, kTerminals, threads, [&](std::uint32_t, std::uint32_t begin, std::uint32_t end) {
      EscapeColumn column(network, tables, number);
      for (std::uint32_t i = begin; i < end; ++i) {
        column.look_at(TerminalId(first + i));
        groups[i].resize(network.router_count());
        fixed[i].assign(network.router_count(), Choice::kNone);
        for (const RouterId r : network.routers()) {
          groups[i][r.value].clear();
          if (r == network.router_of(TerminalId(first + i)) || !column.leads(r)) continue;
          column.group(r, groups[i][r.value]);
          fixed[i][r.value] = column.fixed(r);
        }
      }
    });
    for (std::uint32_t i = 0; i < count; ++i) {
      for (const RouterId r : network.routers()) {
        if (fixed[i][r.value] == Choice::kNone) continue;
        const std::vector<std::uint16_t>& group = groups[i][r.value];
        const Choice choice =
            group.size() < 2 ? Choice{ChoiceKind::fixed, fixed[i][r.value], 0}
                             : Choice{ChoiceKind::adaptive, fixed[i][r.value], plane.add_group(r, group)};
        plane.set(r, TerminalId(first + i), plane.add_choice(r, choice));
      }
    }
    progress.update(first + count);
  }
  routing.planes.push_back(std::move(plane));
  return routing;
}

}  // namespace unknot
