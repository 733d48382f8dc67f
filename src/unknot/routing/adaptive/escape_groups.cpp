// SPDX-License-Identifier: Apache-2.0
#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <utility>

#include "unknot/lanes/acyclic_arcs.hpp"
#include "unknot/routing/adaptive/adaptive_groups.hpp"
#include "unknot/support/error.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kLeadsNowhere = 0xFFFFFFFFU;
constexpr std::uint64_t kMostArcs = std::uint64_t{1} << 27U;  // of all lanes: four words each

std::uint64_t possible_dependencies(const Network& network) {
  std::uint64_t arcs = 0;
  for (const ChannelId c : network.channels()) arcs += network.out(network.target(c)).size();
  return arcs;
}

/// For each lane an order of the channels that all escape dependencies follow. It begins as the tables' own
/// and is changed wherever one more dependency fits in; where there are too many to keep, it stays.
class EscapeOrders {
 public:
  EscapeOrders(const Network& network, std::span<const std::uint32_t> number)
      : network_(network),
        number_(number),
        lane_count_(network.channel_count() == 0
                        ? 0
                        : static_cast<std::uint32_t>(number.size() / network.channel_count())),
        keeps_(possible_dependencies(network) * lane_count_ <= kMostArcs),
        space_(keeps_ ? ArcSpace::of_dependencies(network) : ArcSpace(0, {})) {
    if (!keeps_) return;
    refused_.assign(lane_count_, std::vector<bool>(space_.arc_count(), false));
    std::vector<std::uint32_t> order(network.channel_count());
    lanes_.reserve(lane_count_);
    for (std::uint32_t lane = 0; lane < lane_count_; ++lane) {
      std::iota(order.begin(), order.end(), 0U);
      std::stable_sort(order.begin(), order.end(), [&](std::uint32_t x, std::uint32_t y) {
        return place(lane, ChannelId(x)) < place(lane, ChannelId(y));
      });
      lanes_.emplace_back(space_).restart(order);
    }
  }

  [[nodiscard]] std::uint32_t lanes() const { return lane_count_; }
  /// Whether the tables themselves may make the dependency: as far as their numbers tell.
  [[nodiscard]] bool in_tables(std::uint32_t lane, ChannelId held, ChannelId wanted) const {
    return place(lane, held) >= 0 && place(lane, held) < place(lane, wanted);
  }
  /// False where the dependency would close a cycle.
  bool add(std::uint32_t lane, ChannelId held, ChannelId wanted) {
    if (!keeps_) return place(lane, held) < place(lane, wanted);
    const std::uint32_t arc =
        space_.out_first(held.value) + wanted.value - network_.out(network_.target(held)).first();
    if (refused_[lane][arc]) return false;
    if (lanes_[lane].add(arc)) return true;
    refused_[lane][arc] = true;
    return false;
  }

 private:
  /// Channels without packets come before all others.
  [[nodiscard]] std::int64_t place(std::uint32_t lane, ChannelId c) const {
    const std::uint32_t its = number_[static_cast<std::size_t>(lane) * network_.channel_count() + c.value];
    return its == kLeadsNowhere ? -1 : std::int64_t{its};
  }

  const Network& network_;
  std::span<const std::uint32_t> number_;
  std::uint32_t lane_count_;
  bool keeps_;
  ArcSpace space_;
  std::vector<AcyclicArcs> lanes_;
  std::vector<std::vector<bool>> refused_;  // by lane and arc: order only grows, so that it stays refused
};

/// The tables' ways to one destination after the other, and groups around them.
class EscapeColumn {
 public:
  EscapeColumn(const Network& network, const Routing& tables, EscapeOrders& orders)
      : network_(network),
        tables_(tables),
        orders_(orders),
        hops_(network.router_count()),
        next_(network.router_count()),
        steady_(static_cast<std::size_t>(orders.lanes()) * network.router_count()) {}

  void look_at(TerminalId t) {
    home_ = network_.router_of(t);
    for (const RouterId r : network_.routers()) next_[r.value] = tables_.table().next(network_, r, t);
    std::fill(hops_.begin(), hops_.end(), kLeadsNowhere);
    std::fill(steady_.begin(), steady_.end(), Steady::unknown);
    hops_[home_.value] = 0;
    for (const RouterId r : network_.routers()) count_hops(r);
    find_used_lanes(t);
  }
  [[nodiscard]] bool leads(RouterId r) const { return hops_[r.value] != kLeadsNowhere; }

  /// What the tables' packets wait for goes into the orders first.
  void add_tables() {
    for (const RouterId r : network_.routers()) {
      if (r == home_ || !leads(r) || hops_[r.value] < 2) continue;
      const ChannelId after = next_[network_.target(next_[r.value]).value];
      for (std::uint32_t lane = 0; lane < orders_.lanes(); ++lane) {
        if (used_[lane] != 0 && orders_.in_tables(lane, next_[r.value], after))
          (void)orders_.add(lane, next_[r.value], after);
      }
    }
  }
  void group(RouterId r, std::vector<std::uint16_t>& members) {
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
  enum class Steady : std::uint8_t { unknown, no, yes };

  void count_hops(RouterId r) {
    path_.clear();
    while (hops_[r.value] == kLeadsNowhere && next_[r.value].valid() &&
           path_.size() <= network_.router_count()) {
      path_.push_back(r);
      r = network_.target(next_[r.value]);
    }
    if (hops_[r.value] == kLeadsNowhere) return;
    // NOLINTNEXTLINE(modernize-loop-convert): backwards
    for (auto at = path_.rbegin(); at != path_.rend(); ++at)
      hops_[at->value] = hops_[network_.target(next_[at->value]).value] + 1;
  }

  void find_used_lanes(TerminalId t) {
    used_.assign(orders_.lanes(), 0);
    const ServiceLevels& levels = tables_.service_levels;
    if (levels.empty() && !used_.empty()) used_[0] = 1;
    for (std::uint32_t row = 0; !levels.empty() && row < levels.row_count(); ++row) {
      const std::uint8_t level = levels.row(row)[t.value];
      if (level < used_.size()) used_[level] = 1;
    }
  }

  /// Whether a packet on the lane that is led off the tables' way to the router can follow it from there,
  /// each hop later in the order than the one before.
  bool is_steady(std::uint32_t lane, RouterId r) {
    Steady* const of_lane = steady_.data() + static_cast<std::size_t>(lane) * network_.router_count();
    path_.clear();
    while (r != home_ && of_lane[r.value] == Steady::unknown) {
      path_.push_back(r);
      r = network_.target(next_[r.value]);
    }
    bool steady = r == home_ || of_lane[r.value] == Steady::yes;
    // NOLINTNEXTLINE(modernize-loop-convert): backwards
    for (auto at = path_.rbegin(); at != path_.rend(); ++at) {
      const RouterId after = network_.target(next_[at->value]);
      steady = steady && (after == home_ || orders_.add(lane, next_[at->value], next_[after.value]));
      of_lane[at->value] = steady ? Steady::yes : Steady::no;
    }
    return steady;
  }

  bool may_take(RouterId r, ChannelId c) {
    const RouterId after = network_.target(c);
    if (hops_[after.value] >= hops_[r.value]) return false;  // and so where it leads nowhere
    if (after == home_) return true;
    for (std::uint32_t lane = 0; lane < orders_.lanes(); ++lane) {
      if (used_[lane] != 0 && !(is_steady(lane, after) && orders_.add(lane, c, next_[after.value])))
        return false;
    }
    return true;
  }

  const Network& network_;
  const Routing& tables_;
  EscapeOrders& orders_;
  RouterId home_;
  std::vector<std::uint32_t> hops_;  // by router
  std::vector<ChannelId> next_;      // by router
  std::vector<Steady> steady_;       // by lane and router
  std::vector<std::uint8_t> used_;   // by lane: packets to the destination may be on it
  std::vector<RouterId> path_;
};

}  // namespace

AdaptiveRouting escape_groups(const Network& network, const Routing& tables,
                              std::span<const std::uint32_t> number, Progress& progress) {
  require_tables(tables, "an adaptive routing");
  if (tables.lane_map)
    throw InputError("groups around tables need lanes that are levels, without SL-to-VL tables");
  if (tables.service_levels.highest() >= LaneMap::kLevels &&
      tables.service_levels.highest() != ServiceLevels::kMissing)
    throw InputError(fmt::format("an adaptive routing has service levels 0 to {}", LaneMap::kLevels - 1));
  AdaptiveRouting routing;
  routing.source = tables.engine;
  routing.service_levels = tables.service_levels;
  routing.adaptive_levels = routing.fixed_levels = level_mask(tables.service_levels);
  AdaptivePlane plane(network);
  EscapeOrders orders(network, number);
  EscapeColumn column(network, tables, orders);
  progress.begin("looking at the tables", network.terminal_count());
  for (const TerminalId t : network.terminals()) {
    column.look_at(t);
    column.add_tables();
  }
  progress.begin("making groups", network.terminal_count());
  std::vector<std::uint16_t> group;
  for (const TerminalId t : network.terminals()) {
    column.look_at(t);
    for (const RouterId r : network.routers()) {
      if (r == network.router_of(t) || !column.leads(r)) continue;
      column.group(r, group);
      const Choice choice = group.size() < 2
                                ? Choice{ChoiceKind::fixed, column.fixed(r), 0}
                                : Choice{ChoiceKind::adaptive, column.fixed(r), plane.add_group(r, group)};
      plane.set(r, t, plane.add_choice(r, choice));
    }
    progress.update(t.value);
  }
  routing.planes.push_back(std::move(plane));
  return routing;
}

}  // namespace unknot
