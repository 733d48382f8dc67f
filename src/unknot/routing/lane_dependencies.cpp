// SPDX-License-Identifier: Apache-2.0
#include "unknot/routing/lane_dependencies.hpp"

#include <algorithm>

#include "unknot/network/distances_to.hpp"
#include "unknot/routing/catalogue.hpp"
#include "unknot/routing/row_match.hpp"
#include "unknot/tables/column_block.hpp"
#include "unknot/tables/forwarding_tree.hpp"

namespace unknot {
namespace {

constexpr std::uint32_t kColumnsAtOnce = 2048;  // of a row comparison: the first match mostly comes early

/// Pushes the lanes of all packets down the trees, group by group of destinations.
class Walk {
 public:
  Walk(const Network& network, const Routing& routing, const DependencySlots& slots,
       std::vector<std::uint16_t>& used)
      : network_(network),
        routing_(routing),
        slots_(slots),
        used_(used),
        neighbours_(network),
        distances_(neighbours_),
        columns_(network),
        tree_(network) {}

  void run() {
    const DestinationGroups groups(network_, 128);
    for (std::uint32_t g = 0; g < groups.count(); ++g) {
      const auto pieces = groups.group(g);
      columns_.load(routing_.table, pieces);
      for (std::size_t k = 0; k < pieces.size(); ++k) walk_piece(pieces[k], columns_.entries(k));
    }
  }

 private:
  void walk_piece(const DestinationPiece& piece, const std::uint16_t* entries) {
    fill_masks(piece);
    distances_.run(piece.router);
    if (nearest_last(piece, entries)) return;
    fill_masks(piece);
    for (std::uint32_t j = 0; j < piece.count; ++j) {
      tree_.build(routing_.table, TerminalId(piece.first + j), entries + j, piece.count);
      if (!tree_.loops().empty()) throw RoutingFailure("the tables send packets in a loop: nothing to keep");
      for (const std::uint32_t router : tree_.order()) push(router, j, piece.count, entries);
    }
  }

  void fill_masks(const DestinationPiece& piece) {
    masks_.assign(std::size_t{network_.router_count()} * piece.count, 0);
    const ServiceLevels& levels = routing_.service_levels;
    for (const RouterId r : network_.routers()) {
      std::uint16_t* to = masks_.data() + std::size_t{r.value} * piece.count;
      std::uint32_t last_row = 0xFFFFFFFFU;
      for (const TerminalId source : network_.terminals_at(r)) {
        const std::uint32_t row = levels.row_of(source);
        if (row == last_row) continue;
        last_row = row;
        const std::uint8_t* from = levels.row(row).data() + piece.first;
        for (std::uint32_t j = 0; j < piece.count; ++j) {
          if (from[j] < LaneDependencies::kLanes) to[j] |= static_cast<std::uint16_t>(1U << from[j]);
        }
      }
    }
  }

  /// Most tables send every packet one hop nearer: then routers by distance are in the order of the trees.
  /// False at the first entry that does not; what was marked by then is in use all the same.
  bool nearest_last(const DestinationPiece& piece, const std::uint16_t* entries) {
    const auto distance = distances_.distance();
    const auto order = distances_.order();
    const std::uint32_t count = piece.count;
    for (std::size_t i = order.size(); i-- > 1;) {
      const RouterId router(order[i]);
      const IdRange<ChannelId> out = network_.out(router);
      const std::size_t at = std::size_t{router.value} * count;
      for (std::uint32_t j = 0; j < count; ++j) {
        const std::uint32_t position = entries[at + j];
        if (masks_[at + j] == 0 || position >= out.size()) continue;
        const ChannelId channel = out[position];
        if (distance[network_.target(channel).value] + 1 != distance[router.value]) return false;
        push_along(channel, masks_[at + j], j, count, entries);
      }
    }
    return order.size() == network_.router_count();
  }

  void push(std::uint32_t router, std::uint32_t j, std::uint32_t count, const std::uint16_t* entries) {
    const IdRange<ChannelId> out = network_.out(RouterId(router));
    const std::size_t at = std::size_t{router} * count + j;
    if (masks_[at] != 0 && entries[at] < out.size()) {
      push_along(out[entries[at]], masks_[at], j, count, entries);
    }
  }

  void push_along(ChannelId channel, std::uint16_t mask, std::uint32_t j, std::uint32_t count,
                  const std::uint16_t* entries) {
    const std::size_t next = std::size_t{network_.target(channel).value} * count + j;
    masks_[next] |= mask;
    // An entry that names no channel is the out-degree, and so marks the slot of paths that end.
    used_[slots_.slot(channel.value, entries[next])] |= mask;
  }

  const Network& network_;
  const Routing& routing_;
  const DependencySlots& slots_;
  std::vector<std::uint16_t>& used_;
  InNeighbours neighbours_;
  DistancesTo distances_;
  ColumnBlock columns_;
  ForwardingTree tree_;
  std::vector<std::uint16_t> masks_;  // as columns: lanes of the packets that leave the router
};

}  // namespace

LaneDependencies::LaneDependencies(const Network& network, const Routing& routing)
    : network_(&network),
      routing_(&routing),
      slots_(network),
      lazy_(routing.service_levels.empty()),
      used_(slots_.count(), 0),
      seen_(network.channel_count(), 0) {
  if (lazy_) {
    known_.assign(slots_.count(), 0);
    matches_.resize(kColumnsAtOnce);
  } else {
    Walk(network, routing, slots_, used_).run();
  }
}

bool LaneDependencies::add_path(std::uint32_t lane, std::span<const ChannelId> path) {
  const std::size_t before = mark();
  for (std::size_t i = 0; i + 1 < path.size(); ++i) {
    if (uses(lane, path[i], path[i + 1])) continue;
    if (reaches(lane, path[i + 1], path[i])) {
      undo(before);
      return false;
    }
    const std::uint64_t slot = slot_of(path[i], path[i + 1]);
    used_[slot] |= static_cast<std::uint16_t>(1U << lane);
    added_.push_back({slot, lane});
  }
  return true;
}

void LaneDependencies::undo(std::size_t mark) {
  for (; added_.size() > mark; added_.pop_back())
    used_[added_.back().slot] &= static_cast<std::uint16_t>(~(1U << added_.back().lane));
}

/// Whether dependencies of the lane lead from one channel to the other.
bool LaneDependencies::reaches(std::uint32_t lane, ChannelId from, ChannelId to) {
  if (from == to) return true;
  ++search_;
  stack_.assign(1, from);
  seen_[from.value] = search_;
  while (!stack_.empty()) {
    const ChannelId at = stack_.back();
    stack_.pop_back();
    for (const ChannelId next : network_->out(network_->target(at))) {
      if (seen_[next.value] == search_ || !uses(lane, at, next)) continue;
      if (next == to) return true;
      seen_[next.value] = search_;
      stack_.push_back(next);
    }
  }
  return false;
}

bool LaneDependencies::look_up(ChannelId from, ChannelId to, std::uint64_t slot) {
  known_[slot] = 1;
  const bool found =
      routing_->table.width() == 1 ? rows_match<std::uint8_t>(from, to) : rows_match<std::uint16_t>(from, to);
  if (found) used_[slot] |= 1U;
  return found;
}

template <class Entry>
bool LaneDependencies::rows_match(ChannelId from, ChannelId to) {
  const RouterId first = network_->source(from);
  const RouterId second = network_->target(from);
  const std::size_t columns = network_->terminal_count();
  const auto entries = routing_->table.entries<Entry>();
  const Entry* row_a = entries.data() + first.value * columns;
  const Entry* row_b = entries.data() + second.value * columns;
  const auto a = static_cast<Entry>(from.value - network_->out(first).first());
  const auto b = static_cast<Entry>(to.value - network_->out(second).first());
  for (std::uint32_t begin = 0; begin < columns; begin += kColumnsAtOnce) {
    const auto size = static_cast<std::uint32_t>(std::min<std::size_t>(columns - begin, kColumnsAtOnce));
    const std::uint32_t found = match_rows(row_a + begin, a, row_b + begin, b, size, matches_.data());
    for (std::uint32_t i = 0; i < found; ++i) {
      if (packets_reach(first, TerminalId(begin + matches_[i]), network_->router_count())) return true;
    }
  }
  return false;
}

/// Whether some terminal's packets to the destination pass the router. Entries alone are no packets: those
/// of a router that nobody sends through may turn any way they like.
bool LaneDependencies::packets_reach(RouterId router, TerminalId destination, std::uint32_t steps) const {
  if (!network_->terminals_at(router).empty()) return true;
  if (steps == 0) return false;
  for (const ChannelId c : network_->in(router)) {
    const RouterId sender = network_->source(c);
    if (routing_->table.get(sender, destination) == c.value - network_->out(sender).first() &&
        packets_reach(sender, destination, steps - 1))
      return true;
  }
  return false;
}

}  // namespace unknot
